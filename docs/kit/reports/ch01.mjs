// Softmax: three cliffs and a line that never moves, numbers by hand, softmax twice, z-loss.
import { command, figure, formula, one_number, predict, right, row, section, table, tape, text } from "../parts.mjs";
import { plot } from "../plot.mjs";
import { fixed, shown, with_commas } from "../words.mjs";

const cliffs = ({ numbers: { zero, stable, shift } }) => {
  const at = Object.values(zero).map((x) => x - 2); // the shift c at which the last score is x
  const [f16, f32, f64] = at.map((x) => fixed(x, 1)), colours = ["f4", "f2", "f3"];
  const falls = (dtype, i, x, side) => ({ text: `naive ${dtype} falls at ${fixed(at[i], 1)}`, x, y: 0.28 + 0.12 * i, colour: colours[i],
    side });
  const drawn = plot({
    title: "The last probability of softmax([c, c+1, c+2]) against the shift c",
    more: `The stable softmax is a flat line at 0.665. Dashed verticals mark where
      the naive formula falls to 0, and soon to NaN: ${f16} in f16, ${f32} in f32, ${f64} in f64.`,
    x: { name: "shift c", from: 0, to: 1000 },
    y: { name: "p₃", from: 0, to: 1 },
    lines: [
      ...at.map((x, i) => ({ x: [x, x], y: [0, 0.665], colour: colours[i], dashed: true })),
      { x: stable.map((_, i) => 20 * i), y: stable, colour: "ink" },
    ],
    remarks: [
      falls("f16", 0, 102),
      falls("f32", 1, Math.max(at[1] + 16, 102)),
      falls("f64", 2, at[2] - 18, "left"),
      { text: "greatest score subtracted: 0.665", x: 120, y: 0.73 },
    ],
  });
  return [
    section("cliffs", "Three cliffs and one line that never moves"),
    figure("The same three scores, shifted: the naive formula walks off a cliff, the shifted one does not notice.", drawn,
      `softmax([c, c+1, c+2])₃ in three precisions. Where the sum overflows, p₃ is e<sup>x</sup>/∞ = 0; soon after e<sup>x</sup> does, and
        ∞/∞ is NaN: at x = 11.09 in f16 (65,520, which rounds to ∞), 88.72 in f32 (3.4·10³⁸), 709.78 in f64 (1.8·10³⁰⁸). Redraw:
        ${command("ch01")}`),
    formula(`{v p}{sub i} = {frac e{sup {v x}{sub i}} | Σ{sub j} e{sup {v x}{sub j}}} = {frac e{sup {v x}{sub i} − {m m}} | Σ{sub j} e{sup
      {v x}{sub j} − {m m}}}`, "{m m} = max {v x}"),
    text(`Why may one subtract <var>m</var>? A factor e<sup>−m</sup> above and below cancels. With <var>c</var> = ${shown(shift.c)} the
      probabilities change by ${shown(shift.change_of_p)}.`),
  ];
};

const by_hand = (r) => {
  const { p, gradient, loss } = r.numbers.hand, sum = gradient.reduce((a, b) => a + b);
  return [
    section("hand", "Numbers by hand"),
    table(
      "Scores 0, ln 2, ln 3, so e<sup>x</sup> = 1, 2, 3 and Z = 6. The target is the third.",
      ["line", right("1"), right("2"), right("3, the target")],
      [
        row('<var class="v">x</var>', [0, Math.log(2), Math.log(3)]),
        row('<var class="v">p</var> = e<sup>x</sup>/6', p),
        row('d<var>L</var>/d<var class="g">x</var> = <var>p</var> − target', gradient),
      ],
    ),
    text(
      `The loss is −ln ${shown(p[2])} = ${shown(loss)} nats. Its gradient sums to ${shown(sum)}: what one score gains, the others lose.`,
    ),
    tape(r),
  ];
};

const softmax_twice = ({ numbers: { twice } }) => [
  section("twice", "Softmax twice"),
  table(
    "Cross-entropy applies softmax itself. Give it probabilities, and even the perfect model cannot get below the floor.",
    ["classes", right("guessing", "nats"), right("floor with softmax twice", "nats"), right("floor as it should be", "nats")],
    [2, 10, 256, 50257].map((classes) => [with_commas(classes), shown(Math.log(classes)), shown(twice[`floor_${classes}`]), "0"]),
  ),
  text("The loss falls a little and then stands still, which looks like a model that does not learn."),
];

const z_loss = ({ numbers: { z_loss: { log_z, best_shift } }, series: { z_loss: s } }) => {
  const drawn = plot({
    title: "Loss against a shift of all scores",
    more: `With z-loss it is a parabola with its least value at ${best_shift.toFixed(1)}.`,
    x: { name: "shift of all scores", from: -10, to: 10 },
    y: { name: "loss (nats)" },
    lines: [{ name: "cross-entropy", x: s.shift, y: s.plain, colour: "none" }, { name: "with z-loss", x: s.shift, y: s.with_z_loss }],
  });
  return [
    section("z-loss", "What holds the scores near zero?"),
    figure("Cross-entropy does not care where the scores are; z-loss does.", drawn,
      `Scores [2, −1, 0.5] + c, target 1; z-loss 0.01 (ln Z)². Least where ln Z = 0: c = −ln Z = ${shown(-log_z)}.`),
  ];
};

export default (r) => [
  one_number(`${shown(r.numbers.twice.floor_256)} nats`,
    "The one number: the lowest loss that can be reached if softmax is applied before cross-entropy, with 256 classes. Guessing costs 5.55."),
  predict(r),
  cliffs(r),
  by_hand(r),
  softmax_twice(r),
  z_loss(r),
];
