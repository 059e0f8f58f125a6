// What comes back along the value of gated units, against the value.
export const title = "dy/du of gated units, gate at a = 2";
export const results = ["ffn-glu-path"];

export function draw({ Plot, house, results: { "ffn-glu-path": points } }) {
  const series = [
    { name: "silu(a u), a mistake", short: "silu(a u)", colour: "wrong", y: "mistake" },
    { name: "SwiGLU", colour: "f3", y: "swiglu" },
    { name: "GLU", colour: "f1", y: "glu" },
    { name: "sigmoid(a) tanh(u)", short: "with tanh", colour: "f2", y: "tanh" },
  ].map((s) => ({ ...s, data: points.map((p) => ({ u: p.u, y: p[s.y] })) }));
  return Plot.plot({
    ...house.plot({
      labels: series,
      x: { domain: [-4, 4], label: "value u" },
      y: { domain: [-0.3, 2.3], label: "dy/du" },
    }),
    marks: house.lines(series, { x: "u", y: "y" }),
  });
}
