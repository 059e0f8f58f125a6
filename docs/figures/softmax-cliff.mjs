// The last of softmax([s, s + 1, s + 2]) as written, in three dtypes, and with the greatest score subtracted.
export const title = "Softmax of shifted scores";
export const results = ["softmax-cliff", "ch01"];

export function draw({ house, results: { "softmax-cliff": { c: x, ...run }, ch01 } }) {
  const line = (name, colour, y) => ({ name, colour, label: false, x, y });
  const naive = [line("f64", "f3", run.f64), line("f32", "f2", run.f32), line("f16", "f4", run.f16)];
  const last = ({ y }) => x[y.findLastIndex((p) => p !== null)];
  const falls = ({ name }) => ch01.numbers.zero[name] - 2; // the chapter's cliffs are those of the greatest score, s + 2
  const ticks = [1, 10, 100, 1000];
  return house.chart({
    marginRight: 24,
    x: { name: "shift s of all three scores", log: true, from: 1, to: 1000, ticks, tickFormat: (s) => s.toLocaleString("en-US") },
    y: { name: "third probability", from: 0, to: 1 },
    lines: [line("greatest score subtracted", "ink", run.stable), ...naive],
    words: [
      ...naive.map((one, k) => {
        const look = { short: one.name, colour: one.colour, textAnchor: "end", dx: -6 };
        return [falls(one), 0.26 + 0.12 * k, `${one.name} falls at ${falls(one).toFixed(1)}`, look];
      }),
      ...naive.map((one) => [last(one), 0, "×", { colour: "wrong", textAnchor: "middle", fontSize: 17, dy: 1 }]),
      [1.1, 0.73, "greatest score subtracted: 0.665, whatever s is", { short: "0.665, greatest score subtracted" }],
      [1.1, 0.06, "× no number from here on", { short: "×: no number", colour: "wrong" }],
    ],
  });
}
