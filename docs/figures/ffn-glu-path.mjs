// What comes back along the value of gated units, against the value.
export const title = "dy/du of gated units, gate at a = 2";
export const results = ["ffn-glu-path"];

export function draw({ house, results: { "ffn-glu-path": points } }) {
  const of = (name) => points.map((point) => point[name]), x = of("u");
  return house.chart({
    x: { name: "value u", from: -4, to: 4 },
    y: { name: "dy/du", from: -0.3, to: 2.3 },
    lines: [
      { name: "silu(a u), a mistake", short: "silu(a u)", colour: "wrong", x, y: of("mistake") },
      { name: "SwiGLU", colour: "f3", x, y: of("swiglu") },
      { name: "GLU", colour: "f1", x, y: of("glu") },
      { name: "sigmoid(a) tanh(u)", short: "with tanh", colour: "f2", x, y: of("tanh") },
    ],
  });
}
