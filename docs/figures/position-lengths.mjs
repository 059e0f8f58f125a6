// Trained on 32 bytes, read on longer texts: the mean loss over the seeds of the ablation of position encodings.
export const title = "Loss on texts of 32, 64 and 128 bytes of models trained on 32";
export const results = ["ablation-position"];

const SHOWN = [
  { name: "rope-partial", colour: "f4" },
  { name: "sinusoidal", colour: "f3" },
  { name: "rope", colour: "f1" },
  { name: "none", colour: "ink" },
  { name: "t5", colour: "f3", dash: true },
  { name: "alibi", colour: "f2" },
  { name: "fire", colour: "f4", dash: true },
  { name: "shaw", colour: "f2", dash: true },
  { name: "xl", colour: "f1", dash: true },
];

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

export function draw({ Plot, house, results }) {
  const of = (wanted) => {
    const { runs } = results["ablation-position"].variants.find(({ name }) => name === wanted);
    return runs[0].lengths.map(({ length }, i) => ({
      length: Math.log2(length),
      loss: mean(runs.map(({ lengths }) => lengths[i].loss)),
    }));
  };
  const series = SHOWN.map((one) => ({ ...one, data: of(one.name) }));
  return Plot.plot({
    ...house.plot({
      labels: series,
      x: { domain: [5, 7], ticks: [5, 6, 7], tickFormat: (x) => 2 ** x, label: "bytes read at once (trained on 32)" },
      y: { domain: [1.9, 3.0], label: "validation loss (nats a byte)" },
    }),
    marks: [...house.lines(series, { x: "length", y: "loss" })],
  });
}
