// What the notes say, decided by measurement: each claim by its rule, and every place in which it was measured.
import { dot_strip } from "../heat_map.mjs";
import { badge, claim_box, made_lines, one_number, right, section, table, text } from "../parts.mjs";
import { p_text } from "../statistics.mjs";
import { escaped, shown, text_of_sources } from "../words.mjs";

const VERDICTS = ["confirmed", "refuted", "depends", "undecided"];

const name_of = ({ id }) => id.replace(/^claim-/, "");
const is_erratum = ({ id }) => id.startsWith("erratum-");

// Student's p; where all values lie on one side, that of the signed ranks too. "–" for values that are no sample.
function p_of({ p, signed_rank }, rule) {
  if (rule.values === "listed") return "–";
  return p_text(p) + (signed_rank === undefined ? "" : ` <small>(ranks ${p_text(signed_rank)})</small>`);
}

// "pre 2.41 at 0.008, post 3.39 (not trained)"; a rate at the edge of those tried is marked.
const arm_text = ({ name, mean, rate, trained }) => {
  const at = rate ? ` at ${shown(rate.value, 2)}${rate.at_edge ? "*" : ""}` : "";
  return `${escaped(name)} ${shown(mean)}${at}${trained === false ? " (not trained)" : ""}`;
};

// The axis that the values of all places share, with the bound.
function axis_of({ rule: { bound }, places }) {
  const all = [bound, ...places.flatMap(({ values }) => values.filter(Number.isFinite))];
  const least = Math.min(...all), most = Math.max(...all), log = least > 0 && most > 50 * least;
  const margin = log ? 0 : 0.04 * (most - least) + 1e-300;
  return { from: least - margin, to: most + margin, mark: bound, log };
}

function places_of(claim) {
  const { rule, places } = claim, axis = axis_of(claim), listed = rule.values === "listed";
  const row = (place) => {
    const values = place.values.filter(Number.isFinite);
    const alt = `${values.length} dots with the mean ${shown(place.mean)}; the line is the bound, ${shown(rule.bound)}`;
    const where = Object.entries(place.where).map((one) => one.join(" ")).join(", ");
    return [
      escaped(where || "here"),
      shown(place.mean),
      listed ? "–" : shown(place.sigma, 2),
      dot_strip({ values, ...axis, alt }),
      p_of(place, rule),
      (place.arms ?? []).map(arm_text).join(", "),
      badge(place.verdict),
    ];
  };
  return table(
    `${escaped(rule.statistic)}; a dot for each of the ${escaped(rule.sample)}, ${axis.log ? "logarithmic axis" : "one axis"}, the upright
      line is the bound.`,
    ["where", right("mean", escaped(rule.unit)), right("±σ", escaped(rule.unit)), escaped(rule.sample), right("p"), "beside", "says"],
    places.map(row),
  );
}

function evidence_of({ depends_on, rule, predicted, because, meant, seeds_needed, timed, beyond }) {
  const depends = depends_on.length ? `on ${escaped(depends_on.join(", "))}. ` : "";
  const subject = `${rule.values === "listed" ? "each" : "the mean of"} “${escaped(rule.statistic)}”`;
  const bound = `${rule.side} ${shown(rule.bound)}${rule.unit ? ` ${escaped(rule.unit)}` : ""}`;
  const needed = seeds_needed >= 1e5
    ? " No number of seeds that one can wait for would decide."
    : ` With about ${shown(seeds_needed, 2)} ${escaped(rule.sample)} four of five trials would be significant.`;
  return [
    `${depends}Confirmed if ${subject} lies ${bound}. Predicted before: ${predicted}. ${escaped(because)}`,
    meant ? ` <strong>Meant:</strong> ${escaped(meant)}` : "",
    seeds_needed > 0 ? needed : "",
    timed ? " These are times: another run has others, an idle machine the best." : "",
    beyond ? ` Beyond this experiment: ${escaped(beyond)}` : "",
  ].join("");
}

function written(claim) {
  const quote = `${escaped(claim.says)} <small>“<span lang="zh">${escaped(claim.quote)}</span>”
    (${text_of_sources(claim.sources)})</small>`;
  return [claim_box(name_of(claim), quote, badge(claim.verdict), evidence_of(claim)), places_of(claim)];
}

const overview = (claims) =>
  table(
    "All of them; a name leads to its experiment.",
    ["claim", "predicted", "measured", "in the notes"],
    claims.map((claim) => {
      const name = name_of(claim), mixed = ["depends", "undecided"].includes(claim.verdict);
      return [
        `<a href="#claim-${name}">${name}</a>`,
        claim.predicted,
        badge(claim.verdict) + (mixed ? ` ${claim.count}` : ""),
        text_of_sources(claim.sources),
      ];
    }),
  );

export default ({ claims, full, seed, made }) => {
  const [confirmed, refuted, depend, undecided] = VERDICTS.map((word) => claims.filter(({ verdict }) => verdict === word).length);
  const [errata, others] = [claims.filter(is_erratum), claims.filter((claim) => !is_erratum(claim))];
  return {
    title: "What the notes say, decided by measurement",
    idea: "Each claim is an experiment. Its rule, its bound and its seeds were fixed before it ran; a program applies the rule.",
    body: [
      one_number(`${claims.length - undecided} of ${claims.length}`,
        `are decided here: ${confirmed} confirmed, ${refuted} refuted, ${depend} depend, ${undecided} undecided here.`),
      section("rule", "How a verdict comes about"),
      text(`A claim says on which side of a bound a number lies. It is measured with several seeds, in one place or in several. A place
        confirms or refutes the claim if the mean of its values differs from the bound significantly: by Student’s t, with a chance of 5 %
        for a false alarm in all places of the claim together (Bonferroni), and never by fewer than three values. Where all values lie on
        one side, the p of Wilcoxon’s signed ranks stands beside it; the ruling stays with t, as it was fixed beforehand. Values that are
        no sample, such as widths, say so if all of them lie on one side. All places confirm it: confirmed. All refute it: refuted. Some
        confirm and some refute it: it depends, on the factors that turn the verdict. Anything else is undecided here. A model has trained
        if its loss is below that of a simple counter, of pairs of bytes or of one pixel, by more than the spread of its runs. A rule says
        whether each model of a place must have trained, or one of them, or the place is void and decides nothing. Two models are compared
        at the best learning rate of each, which other seeds have chosen; * marks a best rate at the edge of those tried.`),
      section("all", "The verdicts"),
      overview(claims),
      section("claims", "The claims"),
      others.map(written),
      errata.length ? [section("errata", "Errata and clarifications"), errata.map(written)] : [],
    ],
    made: [
      ...made_lines(made),
      ["setting", `${full ? "--full" : "quick"}, seed ${seed}`],
      ["numbers", "claims.json beside this page holds each value"],
    ],
  };
};
