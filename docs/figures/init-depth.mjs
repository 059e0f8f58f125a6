// The mean square of what arrives at each of twenty layers, by start.
export const title = "Mean square by layer, for four starts";
export const results = ["init-depth"];
export function draw({ Plot, house, results: { "init-depth": run } }) {
  const { narrow } = house;
  const of = (name) => run[name].map((size, layer) => ({ layer, size }));
  const series = [
    { name: "Xavier, no activation", colour: "f3", data: of("Xavier, no activation"), label: false },
    { name: "Kaiming, ReLU", colour: "ink", data: of("Kaiming, ReLU"), label: false },
    { name: "Xavier, ReLU", colour: "f1", data: of("Xavier, ReLU"), label: false },
    { name: "N(0, 0.02²), ReLU", colour: "wrong", data: of("0.02, ReLU"), label: false },
  ];
  return Plot.plot({
    ...house.plot({
      x: { domain: [0, 20], label: "layer" },
      y: { type: "log", domain: [1e-12, 100], label: "mean square" },
    }),
    marks: [
      ...house.lines(series, { x: "layer", y: "size", clip: true }),
      house.text(19.8, 30, narrow ? "Kaiming, ReLU" : "Kaiming with ReLU, Xavier without: 1", { textAnchor: "end" }),
      house.text(10, 1.5e-2, narrow ? "Xavier, ReLU: ½ᵏ" : "Xavier with ReLU: half is lost at each", {
        colour: "f1",
      }),
      house.text(8.4, 1e-9, "N(0, 0.02²) with ReLU", { colour: "wrong" }),
    ],
  });
}
