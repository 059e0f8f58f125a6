export const title = "How the first step's effect on the result grows with depth, under DeepNorm, for four kinds of step";
export const results = ["claims"];

export function draw({ house, results: { claims } }) {
  const claim = claims.claims.find(({ id }) => id === "claim-deepnorm-bounded-updates");
  const values = (step, parameters) => claim.places.find(({ where }) => where.step === step && where.parameters === parameters).values;
  const rows = [
    {
      name: "gradient descent, linear maps",
      short: "descent, maps",
      colour: "f1",
      values: values("gradient descent", "linear maps"),
    },
    { name: "gradient descent, all", short: "descent, all", colour: "f2", values: values("gradient descent", "all") },
    { name: "Adam, linear maps", short: "Adam, maps", colour: "f3", values: values("Adam’s first", "linear maps") },
    { name: "Adam, all", short: "Adam, all", colour: "f4", values: values("Adam’s first", "all") },
  ];
  return house.strips(rows, {
    digits: 2,
    under: [house.rule({ x: 0 }), house.rule({ x: 0.25, colour: "none", dash: "5 4" })],
    x: { domain: [-0.1, 1.1], label: "slope of ln ‖ΔF‖ over ln N: 0 is bounded" },
  });
}
