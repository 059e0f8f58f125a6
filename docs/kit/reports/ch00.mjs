// The tape: dy/da with an order and without, the U of finite differences, doublings, second derivatives, a line.
import { figure, formula, one_number, predict, right, section, table, tape, text } from "../parts.mjs";
import { plot } from "../plot.mjs";
import { shown, with_commas, with_e } from "../words.mjs";

const U = [
  ["forward, f32", "forward_f32", "f4"],
  ["central, f32", "central_f32", "f2"],
  ["forward, f64", "forward_f64", "f1"],
  ["central, f64", "central_f64", "f3"],
];

const the_u = ({ numbers: { u }, series }) => {
  const floor = Math.max(u.tape_f64, 2e-17), widths = series.u.h;
  const best = U.map(([name, path]) => `${name} is least with ${with_e(u[path].least, 1)} at h = ${with_e(u[path].h, 1)}; `);
  const drawn = plot({
    title: "Relative error of d sin x/dx at 1 against the width h of the difference",
    more: `Four V shapes: ${best.join("")}the tape
      is a flat line at ${with_e(u.tape_f64, 1)} under them all.`,
    x: { name: "width h of the difference", log: true, from: 1e-16, to: 0.1 },
    y: { name: "relative error of the slope", log: true, from: 1e-17, to: 10 },
    lines: [
      ...U.map(([name, path, colour]) => ({ name, x: widths, y: series.u[path], colour })),
      { name: "the tape, f64", x: [1e-16, 0.1], y: [floor, floor], colour: "ink" },
    ],
    dots: U.map(([, path]) => [u[path].h, u[path].least]),
    remarks: [
      { text: "digits cancel", x: 2e-16, y: 2e-6, colour: "none", on_phone: false },
      { text: "h too wide", x: 0.06, y: 3e-13, colour: "none", side: "left" },
    ],
  });
  return [
    section("u", "Is it right? The U of finite differences"),
    figure("Four ways to measure a slope have a best h and no more. The tape has no h.", drawn,
      `d sin x/dx at 1, ${widths.length} widths h. Right arms: slope 1 (forward) and 2 (central). Left arms: rounding, ε/h. Dots: the
        least errors. Redraw: <code>./examples/run ch00</code>`),
    formula("forward: {frac sin(x + h) − sin x | h} = cos x + O(h)", "central: {frac sin(x + h) − sin(x − h) | 2h} = cos x + O(h{sup 2})"),
    text(`So gradients are <em>checked</em> by central differences in f64, which agree to about ${shown(u.central_f64.least)} here, and
      <em>computed</em> by the tape (f32: ${shown(u.tape_f32)}).`),
  ];
};

const by_hand = (r) => {
  const { a, b, visits } = r.series.order, s = a + b, p = a * b;
  const rows = visits.tensor.map((name, i) => [
    i + 1,
    `<var>${name}</var>`,
    visits.made_by[i],
    shown(visits.value[i]),
    shown(visits.gradient[i]),
    shown(visits.recursion[i]),
  ]);
  return [
    section("order", "Why an order? Numbers by hand"),
    formula("s = a + b", "p = a b", "u = s + p", "v = s p", "y = u + v"),
    table(
      "The tape, newest first. A tensor's turn comes when all that was computed from it has had its own: its gradient is complete.",
      ["visit", "tensor", "made by", right("value"), right("gradient", "in order"), right("recursion", "without an order")],
      rows,
    ),
    text(
      `Check on paper: dy/ds = 1 + p = ${shown(1 + p)}, dy/dp = 1 + s = ${shown(1 + s)}, so dy/da = ${shown(1 + p)} · 1 + ${shown(1 + s)}
        · b = ${shown(1 + p + (1 + s) * b)}. The recursion reaches s twice and hands on what it has so far both times: the first 1 is
        counted again.`,
    ),
    tape(r),
    text("Any expression of your own: <code>./examples/run step 's = a + b; p = a * b; s + p + s * p'</code>"),
  ];
};

const doublings = ({ numbers, series: { doublings: s } }) => {
  const n = s.tape.map((_, i) => i + 1), deepest = n.length, last = numbers.doublings.recursion_20_by_law;
  const drawn = plot({
    title: "Visits of a backward walk against the number of doublings",
    more: `The recursion rises straight to ${last}`,
    x: { name: "doublings n", from: 1, to: deepest },
    y: { name: "visits", log: true, from: 1, to: 1e7 },
    lines: [
      { x: n, y: n.map((k) => 2 ** (k + 1) - 1), colour: "none" },
      { x: n.slice(0, s.recursion.length), y: s.recursion, colour: "wrong" },
      { name: "tape", x: n, y: s.tape },
    ],
    remarks: [
      { text: `${with_commas(last)} by 2ⁿ⁺¹ − 1`, x: 19, y: 3e6, colour: "wrong", side: "left" },
      { text: "recursion", x: 7.5, y: 1000, colour: "wrong", side: "left" },
    ],
  });
  return [
    section("doublings", "And it costs: every way back, or every tensor once"),
    figure("Twenty doublings: two million visits, or twenty-one.", drawn,
      `Solid: counted, up to ${s.recursion.length} doublings; dashed: the law 2ⁿ⁺¹ − 1, which each count meets.`),
  ];
};

const second = ({ numbers: { second: { hessian }, order } }) => [
  section("second", "A gradient is on a tape, too"),
  table(
    "Rules are made of ops, so with <code>create_graph</code> the backward walk is itself recorded and can be walked.",
    ["derivative", "by hand", right("by the tape")],
    [
      ["d<var>y</var>/d<var>a</var>", "1 + b + 2ab + b²", shown(order.dy_da)],
      ["d²<var>y</var>/d<var>a</var>²", "2b", shown(hessian[0][0])],
      ["d²<var>y</var>/d<var>a</var>d<var>b</var>", "1 + 2a + 2b", shown(hessian[0][1])],
      ["d²<var>y</var>/d<var>b</var>²", "2a", shown(hessian[1][1])],
    ],
  ),
];

const line = ({ numbers, series: { line: { losses, without_gradient } } }) => {
  const { w, b } = numbers.line;
  const drawn = plot({
    title: "Loss of the line's fit against the step",
    x: { name: "step", from: 0, to: 100 },
    y: { name: "mean squared error", log: true, from: 0.005, to: 5 },
    lines: [{ name: "no gradient", y: without_gradient, colour: "none" }, { name: "gradient", y: losses }],
  });
  return [
    section("line", "The milestone: it fits a line"),
    figure("With gradients the loss falls to the noise; without them nothing ever changes.", drawn,
      `32 points 2x − 1 + noise of deviation 0.1, plain gradient descent with rate 0.1: w = ${shown(w)}, b = ${shown(b)}.`),
  ];
};

export default (r) => {
  const { dy_da, dy_da_naive, visits, visits_naive } = r.numbers.order, { a, b } = r.series.order;
  return [
    one_number(`${shown(dy_da_naive)} against ${shown(dy_da)}`,
      `The one number: dy/da at a = ${shown(a)}, b = ${shown(b)} by recursion without an order (${visits_naive} visits) and by the tape
        (${visits} visits). The second is right.`),
    predict(r),
    the_u(r),
    by_hand(r),
    doublings(r),
    second(r),
    line(r),
  ];
};
