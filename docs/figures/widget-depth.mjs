// The depth lab: what a stack of blocks does to the stream on its way up and to the gradient on its way down.
import { axes, decades } from "./kit/axes.mjs";

export const title = "Variance of the stream and norm of its gradient by block, and the loss by step";
export const results = ["widget-depth"];

const bottom = ({ gradient }) => gradient?.[0];

export const widget = {
  name: "depth",
  module: "models",
  bounds: { steps: 3, depth: 12 }, // within which two machines agree to a millionth
  prompts: [
    {
      ask: "Pre-norm adds about one to the variance with each block. What does a plain sum do, without any norm?",
      answers: ["It adds more", "It multiplies", "It stays level"],
      right: 1,
      act: "Choose residual.",
      such_as: "placement=residual",
      done: (seen, { placement }) => placement === "residual",
      then:
        "What is added is a share of what is there, so the shares multiply: a straight line on this axis, whose numbers are powers of ten.",
    },
    {
      ask: "Post-norm has a norm on the stream itself. Before training: do the lowest blocks of 40 get any gradient?",
      answers: ["Hardly any", "About as much as the top, give or take", "A thousand times more than the top"],
      right: 1,
      act: "Choose post, and 40 blocks, before any training.",
      such_as: "placement=post&depth=40",
      done: ({ step }, { placement, depth }) => placement === "post" && depth === 40 && step === 0,
      then: "What every norm takes away the sum gives back, nearly. Nothing of post-norm's trouble is to be seen yet.",
    },
    {
      ask: "And after 20 steps of training?",
      answers: ["The same", "The bottom gets more", "The bottom gets next to nothing"],
      right: 2,
      act: "Press Play.",
      such_as: "placement=post&steps=20",
      done: (seen, { placement, steps }) => placement === "post" && steps === 20 && bottom(seen) < 0.01,
      then:
        "The first steps make all rows alike, and each norm divides away what sets them apart, forward and backward. The lowest blocks can learn no more.",
    },
    {
      ask: "A warm-up makes the first steps small. Does more of the gradient arrive at the bottom of 12 blocks of post-norm?",
      answers: ["Yes, thousands of times more", "No", "A little"],
      right: 0,
      act: "Take 12 blocks of post, 20 steps of warm-up, and Play them.",
      such_as: "placement=post&steps=20&warmup=20",
      done: (seen, { placement, depth, steps, warmup }) =>
        placement === "post" && depth === 12 && steps === 20 && warmup === 20 && bottom(seen) > 0.01,
      then: "So post-norm was never trained without one. Try 40 blocks: there it does not help enough.",
    },
    {
      ask: "DeepNorm is post-norm with a louder stream and quieter weights. Without a warm-up, 20 steps on: is its bottom alive?",
      answers: ["Yes", "No"],
      right: 0,
      act: "Choose deepnorm, put the warm-up to 0, and Play 20 steps.",
      such_as: "placement=deepnorm&steps=20",
      done: (seen, { placement, steps, warmup }) => placement === "deepnorm" && steps === 20 && warmup === 0 && bottom(seen) > 0.01,
      then: "A step changes what comes out at the top by little, however deep the stack is. Move α and β to see what of it they do.",
    },
  ],
};

const by_block = (values) => values.map((v, l) => [l, v]);
const blocks = (values) => ({ least: 0, most: values.length - 1,
  ticks: [...new Set([0, Math.round((values.length - 1) / 2), values.length - 1])] });

function by_depth(d, values, theory, { least, most, role, ...place }) {
  const up = decades([...values, ...(theory ?? [])], least, most);
  const plot = axes(d, { ...place, across: blocks(values), up, below: "block" });
  if (theory) plot.line(by_block(theory), { role: "ink", width: 1.4, dash: true });
  plot.line(by_block(values), { role, width: 2.2 });
  plot.dots(by_block(values), { role, r: values.length > 25 ? 2 : 3 });
  return plot;
}

function by_step(d, { losses }, place) {
  const up = { least: 0, most: Math.max(3, ...losses.filter((v) => typeof v === "number").map(Math.ceil)), ticks: [0, 1, 2, 3] };
  const plot = axes(d, { ...place, across: { least: 0, most: 20, ticks: [0, 10, 20] }, up, name: "loss", below: "step" });
  plot.line(by_block(losses), { role: "value", width: 2.2 });
  plot.dots(by_block(losses).slice(-1), { role: "value", r: 4 });
}

export function draw({ drawing, width, results: { "widget-depth": seen } }) {
  const narrow = width < 500;
  const d = drawing(width, narrow ? 704 : 300, title);
  const size = { width: narrow ? width - 54 : 230, height: narrow ? 150 : 200 };
  const places = narrow ? [34, 264, 494].map((y) => ({ x: 42, y })) : [42, 336, 624].map((x) => ({ x, y: 34 }));
  by_depth(d, seen.variance, seen.variance_in_theory, { ...size, ...places[0], least: 1, most: 100, role: "value",
    name: "variance of the stream" });
  if (!seen.gradient)
    d.text(places[1].x + size.width / 2, places[1].y + size.height / 2, "too loud for a gradient", { role: "wrong", size: 14 });
  else by_depth(d, seen.gradient, seen.gradient_in_theory, { ...size, ...places[1], least: 1, most: 10, role: "gradient",
      name: "‖dL/dx‖ over that at the top" });
  by_step(d, seen, { ...places[2], width: narrow ? size.width : 84, height: size.height });
  const dashed = seen.gradient_in_theory ? "dashed: theory, before training" : "dashed: theory of the variance, before training";
  const constants = seen.placement === "deepnorm" ? `α = ${seen.alpha.toFixed(2)}, β = ${seen.beta.toFixed(2)}; ` : "";
  d.text(narrow ? 12 : 12, narrow ? 692 : 288, constants + dashed, { anchor: "start", size: 13, role: "soft" });
  return d;
}
