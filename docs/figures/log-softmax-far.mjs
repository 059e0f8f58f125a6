// The logarithm of a small probability: taken of the probability, and without it.
export const title = "Logarithm of a probability against how far its score lies below";
export const results = ["log-softmax-far"];
export function draw({ Plot, house, results: { "log-softmax-far": run }, width }) {
  const narrow = width < 500;
  const of = (name) => run.d.map((d, i) => ({ d, y: run[name][i] })).filter(({ y }) => y !== null);
  const direct = { name: "log_softmax", colour: "ink", data: of("log_softmax, f32"), label: false };
  const naive = [
    { name: "log of softmax, f32", colour: "f2", data: of("log of softmax, f32"), label: false },
    { name: "log of softmax, f16", colour: "f4", data: of("log of softmax, f16"), label: false },
  ];
  const ends = naive.map(({ colour, data }) => ({ colour, ...data.at(-1) }));
  return Plot.plot({
    ...house.plot({
      x: { domain: [0, 120], label: "how far the score lies below the greatest" },
      y: { domain: [-120, 0], label: "logarithm of its probability" },
    }),
    marks: [
      ...house.lines([direct, ...naive], { x: "d", y: "y" }),
      ...ends.map(({ d, colour }) => house.rule({ x: d, y1: -120, y2: -d, colour, dash: "3 4" })),
      ...ends.map(({ d, y }) => house.text(d, y, "×", { colour: "wrong", textAnchor: "middle", fontSize: 17 })),
      house.text(ends[1].d, ends[1].y, narrow ? "f16 is −∞ from here" : "log(softmax) in f16 is −∞ from here on", {
        colour: "f4",
        dx: 10,
      }),
      house.text(ends[0].d, ends[0].y, narrow ? "f32" : "in f32 from here", { colour: "f2", dx: 10, dy: -4 }),
      house.text(118, -103, "log_softmax", { textAnchor: "end" }),
    ],
  });
}
