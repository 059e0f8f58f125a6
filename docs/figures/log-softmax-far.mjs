// The logarithm of a small probability: taken of the probability, and without it.
export const title = "Logarithm of a probability against how far its score lies below";
export const results = ["log-softmax-far"];

export function draw({ house, results: { "log-softmax-far": { d: x, ...run } } }) {
  const line = (name, colour) => ({ name, colour, label: false, x, y: run[name] });
  const naive = [line("log of softmax, f32", "f2"), line("log of softmax, f16", "f4")];
  const ends = naive.map(({ y, colour }) => {
    const last = y.findLastIndex((one) => one !== null);
    return { x: x[last], y: y[last], colour };
  });
  return house.chart({
    x: { name: "how far the score lies below the greatest", from: 0, to: 120 },
    y: { name: "logarithm of its probability", from: -120, to: 0 },
    lines: [{ ...line("log_softmax, f32", "ink"), name: "log_softmax" }, ...naive],
    over: ends.map(({ x: at, colour }) => house.rule({ x: at, y1: -120, y2: -at, colour, dash: "3 4" })),
    words: [
      ...ends.map((end) => [end.x, end.y, "×", { colour: "wrong", textAnchor: "middle", fontSize: 17 }]),
      [ends[1].x, ends[1].y, "log(softmax) in f16 is −∞ from here on", { short: "f16 is −∞ from here", colour: "f4", dx: 10 }],
      [ends[0].x, ends[0].y, "in f32 from here", { short: "f32", colour: "f2", dx: 10, dy: -4 }],
      [118, -103, "log_softmax", { textAnchor: "end" }],
    ],
  });
}
