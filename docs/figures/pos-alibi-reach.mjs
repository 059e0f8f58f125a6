// How far each of eight heads reaches: what ALiBi multiplies the weight of a key by.
export const title = "What ALiBi multiplies a key's weight by, against its distance, for eight heads";
export const results = ["pos-alibi-reach"];

export function draw({ Plot, house, results }) {
  const { d, alibi } = results["pos-alibi-reach"];
  const { narrow } = house;
  const colours = ["f1", "f3", "f1", "f3", "f1", "f3", "f1", "f3"];
  const series = alibi.map((w, h) => ({
    name: `m = 1/${2 ** (h + 1)}`,
    colour: colours[h],
    label: false,
    data: d.map((distance, i) => ({ d: distance, w: w[i] })),
  }));
  const halves = alibi.map((_, h) => ({ x: Math.log(2) * 2 ** (h + 1), y: 0.5 }));
  return Plot.plot({
    ...house.plot({
      x: {
        type: "log",
        domain: [1, 2048],
        label: "distance i − j, in tokens",
        ticks: [1, 4, 16, 64, 256, 1024],
        tickFormat: (t) => (t < 1000 ? `${t}` : "1,024"),
      },
      y: { domain: [0, 1.04], label: "factor of the weight" },
    }),
    marks: [
      house.rule({ y: 0.5, dash: "2 4" }),
      ...house.lines(series, { x: "d", y: "w" }),
      Plot.dot(halves, { x: "x", y: "y", r: 3, fill: house.colour.ink }),
      house.text(1.15, 0.14, narrow ? "m = ½" : "head 1, m = ½", { colour: "f1" }),
      house.text(1900, 0.66, narrow ? "m = 1/256" : "head 8, m = 1/256", { colour: "f3", textAnchor: "end" }),
      house.text(halves[0].x, 0.5, "1.4", { dx: 6, dy: -9, colour: "ink" }),
      house.text(halves[7].x, 0.5, "177", { dx: 6, dy: -9, colour: "ink" }),
    ],
  });
}
