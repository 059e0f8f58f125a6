// The strips of an ablation: a row of dots for each variant, one dot for each seed, in the order of their means.
export function ablation_strips(
  Plot,
  house,
  { variants, baseline },
  { shown = {}, left_out = [], domain, marginLeft = 118 },
) {
  const rows = variants
    .filter(({ name }) => !left_out.includes(name))
    .map(({ name, losses, rate }) => ({
      name: shown[name] ?? name,
      values: losses.filter((loss) => typeof loss === "number"),
      colour: name === baseline.name ? "none" : "f1",
      rate,
    }))
    .filter(({ values }) => values.length > 0);
  const x = { domain, label: "validation loss (nats a byte)", ticks: house.narrow ? 3 : 7 };
  return Plot.plot(house.strips(rows, { baseline: shown[baseline.name] ?? baseline.name, x, digits: 4, marginLeft }));
}
