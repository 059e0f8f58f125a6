// The last of softmax([s, s + 1, s + 2]) as written, in three dtypes, and with the greatest score subtracted.
export const title = "Softmax of shifted scores";
export const results = ["softmax-cliff", "ch01"];
export function draw({ Plot, house, results: { "softmax-cliff": run, ch01 }, width }) {
  const narrow = width < 500;
  const of = (name) => run.c.map((s, i) => ({ s, p: run[name][i] }));
  const naive = [
    { name: "f64", colour: "f3" },
    { name: "f32", colour: "f2" },
    { name: "f16", colour: "f4" },
  ].map((line) => ({ ...line, data: of(line.name).filter(({ p }) => p !== null), label: false }));
  // The chapter's cliffs are those of the greatest score, s + 2.
  const ends = naive.map(({ name, colour, data }) => ({
    name,
    colour,
    s: ch01.numbers.zero[name] - 2,
    last: data.at(-1).s,
  }));
  return Plot.plot({
    ...house.plot({
      marginRight: 24,
      x: {
        type: "log",
        domain: [1, 1000],
        label: "shift s of all three scores",
        ticks: [1, 10, 100, 1000],
        tickFormat: (s) => s.toLocaleString("en-US"),
      },
      y: { domain: [0, 1], label: "third probability" },
    }),
    marks: [
      ...house.lines([{ name: "greatest score subtracted", colour: "ink", data: of("stable"), label: false }, ...naive], {
        x: "s",
        y: "p",
      }),
      ...ends.map(({ name, colour, s }, k) =>
        house.text(s, 0.5 - 0.12 * (2 - k), narrow ? name : `${name} falls at ${s.toFixed(1)}`, {
          colour,
          textAnchor: "end",
          dx: -6,
        })
      ),
      ...ends.map(({ colour, last }) => house.text(last, 0, "×", { colour: "wrong", textAnchor: "middle", fontSize: 17, dy: 1 })),
      house.text(1.1, 0.73, narrow ? "0.665, greatest score subtracted" : "greatest score subtracted: 0.665, whatever s is"),
      house.text(1.1, 0.06, narrow ? "×: no number" : "× no number from here on", { colour: "wrong" }),
    ],
  });
}
