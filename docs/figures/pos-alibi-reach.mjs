// How far each of eight heads reaches: what ALiBi multiplies the weight of a key by.
export const title = "What ALiBi multiplies a key's weight by, against its distance, for eight heads";
export const results = ["pos-alibi-reach"];

export function draw({ house, results: { "pos-alibi-reach": { d: x, alibi } } }) {
  const half = (head) => Math.log(2) * 2 ** head;
  const ticks = [1, 4, 16, 64, 256, 1024];
  return house.chart({
    x: { name: "distance i − j, in tokens", log: true, from: 1, to: 2048, ticks, tickFormat: (t) => t.toLocaleString("en-US") },
    y: { name: "factor of the weight", from: 0, to: 1.04 },
    under: [house.rule({ y: 0.5, dash: "2 4" })],
    lines: alibi.map((y, h) => ({ name: `m = 1/${2 ** (h + 1)}`, colour: h % 2 ? "f3" : "f1", label: false, x, y })),
    dots: alibi.map((_, h) => ({ x: half(h + 1), y: 0.5 })),
    r: 3,
    words: [
      [1.15, 0.14, "head 1, m = ½", { short: "m = ½", colour: "f1" }],
      [1900, 0.66, "head 8, m = 1/256", { short: "m = 1/256", colour: "f3", textAnchor: "end" }],
      [half(1), 0.5, "1.4", { dx: 6, dy: -9 }],
      [half(8), 0.5, "177", { dx: 6, dy: -9 }],
    ],
  });
}
