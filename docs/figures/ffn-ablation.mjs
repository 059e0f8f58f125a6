// The ablation of feed-forward layers: eight seeds of each at its best learning rate.
export const title = "Loss of one small language model with each feed-forward layer";
export const results = ["ablation-feed-forward"];

const COLOURS = { ungated: "f1", gated: "f3" };
const NAMES = {
  geglu: "GeGLU",
  "geglu-tanh": "GeGLU tanh",
  swiglu: "SwiGLU",
  reglu: "ReGLU",
  bilinear: "bilinear",
  glu: "GLU",
  relu: "ReLU",
  relu2: "ReLU²",
  gelu: "GELU",
  silu: "SiLU",
};

export function draw({
  Plot,
  house,
  results: {
    "ablation-feed-forward": { variants, baseline },
  },
}) {
  const rows = variants
    .filter(({ name }) => name in NAMES)
    .map(({ name, losses, d_ff }) => ({
      name: NAMES[name],
      values: losses,
      colour: name === baseline.name ? "none" : d_ff === baseline.config.d_ff ? COLOURS.ungated : COLOURS.gated,
    }));
  const x = { domain: [1.93, 2.08], label: "validation loss (nats a byte)", ticks: house.narrow ? 3 : 7 };
  return Plot.plot(house.strips(rows, { baseline: NAMES[baseline.name], x, digits: 4, marginLeft: 92 }));
}
