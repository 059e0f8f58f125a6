// The ablation of feed-forward layers: eight seeds of each at its best learning rate.
import { ablation_strips } from "./kit/ablation.mjs";

export const title = "Loss of one small language model with each feed-forward layer";
export const results = ["ablation-feed-forward"];

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

export function draw({ house, results: { "ablation-feed-forward": { variants, baseline } } }) {
  const left_out = variants.map(({ name }) => name).filter((name) => !(name in NAMES));
  const colour = ({ d_ff }) => (d_ff === baseline.config.d_ff ? "f1" : "f3"); // without a gate, and with one
  return ablation_strips(house, { variants, baseline }, { shown: NAMES, left_out, colour, domain: [1.93, 2.08], marginLeft: 92 });
}
