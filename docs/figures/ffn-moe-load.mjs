// How full the fullest of four experts is while a model learns: balanced by nothing, by a loss, by biases.
export const title = "Load of the fullest expert, in mean loads, against training steps";
export const results = ["ch03"];

export function draw({ house, results: { ch03: { numbers: { experts } } } }) {
  const line = (key, name, colour) => ({ name, colour, x: experts[key].steps, y: experts[key].load });
  const last = experts.loss.steps.at(-1);
  return house.chart({
    x: { name: "steps", from: 0, to: last },
    y: { name: "fullest expert (mean loads)", from: 1, to: 4 },
    under: [house.rule({ y: 1, dash: "7 5" })],
    lines: [line("nothing", "nothing", "none"), line("loss", "loss", "f1"), line("bias", "biases", "f2")],
  });
}
