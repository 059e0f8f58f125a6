// The strips of an ablation: a row of dots for each variant, one dot for each seed, in the order of their means. `shown`: the names
// of variants that are called otherwise; `colour(variant)`: of those beside the baseline.
export function ablation_strips(house, { variants, baseline }, { shown = {}, left_out = [], colour = () => "f1", ...rest }) {
  const { domain, marginLeft = 118 } = rest;
  const rows = variants
    .filter(({ name }) => !left_out.includes(name))
    .map((variant) => ({
      name: shown[variant.name] ?? variant.name,
      values: variant.losses.filter((loss) => typeof loss === "number"),
      colour: variant.name === baseline.name ? "none" : colour(variant),
    }))
    .filter(({ values }) => values.length > 0);
  const x = { domain, label: "validation loss (nats a byte)", ticks: house.narrow ? 3 : 7 };
  return house.strips(rows, { baseline: shown[baseline.name] ?? baseline.name, x, digits: 4, marginLeft });
}
