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

export function draw({ house, results: { "ablation-position": { variants } } }) {
  const points = (wanted) => {
    const { runs } = variants.find(({ name }) => name === wanted);
    const { lengths } = runs[0];
    return { x: lengths.map(({ length }) => Math.log2(length)), y: lengths.map((_, i) => mean(runs.map((run) => run.lengths[i].loss))) };
  };
  return house.chart({
    x: { name: "bytes read at once (trained on 32)", from: 5, to: 7, ticks: [5, 6, 7], tickFormat: (x) => 2 ** x },
    y: { name: "validation loss (nats a byte)", from: 1.9, to: 3.0 },
    lines: SHOWN.map((one) => ({ ...one, ...points(one.name) })),
  });
}
