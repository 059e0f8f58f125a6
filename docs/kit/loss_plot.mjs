// The picture of a language model that learns: its loss against the step, and what counting alone reaches as lines across.
import { plot } from "./plot.mjs";
import { fixed, shown } from "./words.mjs";

// The first step at which a curve { x, y } lies below a line, or undefined.
export const first_below = ({ x, y }, height) => x[y.findIndex((loss) => loss < height)];

export const NGRAMS = ["guess", "bytes", "pairs", "triples"];

// `heights`: of the four lines. `validation` has dots where it was first seen below one of them; beside a training loss it is
// dots alone: it is measured seldom, and a line between two of them would say what nobody has seen.
export function loss_plot({ title = "Loss against step", training, validation, heights, others = [], more = [] }) {
  const last = Math.max(1, validation.x.at(-1) ?? 0, training?.x.at(-1) ?? 0);
  const told = NGRAMS.map((name, i) => {
    const step = first_below(validation, heights[i]), line = `${name} ${fixed(heights[i], 2)}`;
    return step === undefined
      ? `It stays above the line ${line}.`
      : `It was first seen below the line ${line} at step ${shown(step)}.`;
  });
  const [from, to] = [validation.y[0], validation.y.at(-1)];
  const falls = validation.y.length ? [`On validation text it falls from ${shown(from)} to ${shown(to)}.`] : [];
  const across = NGRAMS.map((name, i) => ({
    name: `${name} ${fixed(heights[i], 2)}`,
    x: [0, last],
    y: [heights[i], heights[i]],
    colour: "none",
  }));
  const alone = [{ name: "this model", ...validation, colour: "ink" }];
  const both = () => [
    { name: "training", ...training },
    { name: "validation", x: [validation.x.at(-1) ?? NaN], y: [validation.y.at(-1) ?? NaN], colour: "ink" },
  ];
  const passed = heights.map((height) => [first_below(validation, height), height]).filter(([step]) => step > 0);
  return plot({
    title,
    more: [...falls, ...told, ...more].join(" "),
    x: { name: "step", from: 0, to: last },
    y: { name: "loss (nats per byte)" },
    lines: [...(training ? both() : alone), ...across, ...others],
    dots: training ? validation.x.map((step, i) => [step, validation.y[i]]) : passed,
  });
}
