// Norms: which outputs move, numbers by hand, the scale, axes, laws, images, wrong lines, claims.
import { heat_map, key_of, panels } from "../heat_map.mjs";
import { claim, command, figure, formula, one_number, predict, right, row, section, table, tape, text } from "../parts.mjs";
import { plot } from "../plot.mjs";
import { published } from "../published.mjs";
import { at, framed, path, stroke } from "../svg.mjs";
import { escaped, fixed, percent, shown } from "../words.mjs";

// Slices [C, T], a sample each, coloured by the size of what moved; the nudged cell is framed.
function cube(rows) {
  const limit = Math.max(...rows.flat().map(Math.abs));
  const slices = [0, 1, 2, 3].map((n) =>
    heat_map({ rows: rows.slice(6 * n, 6 * n + 6), limit, cell: 12, framed: n === 1 ? [2, 3] : undefined })
  );
  return `<div style="display:grid;grid-template-columns:repeat(4,minmax(0,1fr));gap:8px;max-width:21rem">${slices.join("")}</div>`;
}

const maps = (r) => {
  const { ids, names, sentences, columns } = r.series.maps;
  const cubes = ids.map((id, i) => [
    escaped(names[i]),
    `${shown(r.numbers.moved[id])} cells: ${escaped(sentences[i])}`,
    cube(columns[id]),
  ]);
  return [
    section("maps", "Nudge one number: which outputs move?"),
    figure("A column of one slice, a whole slice, a row, two rows, a row of all slices: each norm is the set of numbers it averages.",
      panels(cubes, 18) + key_of({ rows: [[1]], limit: 1 }, "|dy/dx|, relative to the greatest"),
      `A cube of 4 samples (the slices), 6 channels (down) and 6 tokens (across); the framed input is nudged. Colour: |dy/dx| of every
        output, from the layers' own Jacobians by the tape. Random x, seed ${r.seed}. Redraw: ${command("ch04")}`),
    claim(r, "batch-norm-mixes-sentences"),
    formula("layer: {v y} = {frac {v x} − μ | {root σ² + {c ε}}} ⊙ {p γ} + {p β}",
      "RMS: {v y} = {frac {v x} | {root mean({v x}²) + {c ε}}} ⊙ {p γ}"),
  ];
};

const by_hand = (r) => {
  const { numbers: { hand: { y, dx, dgain, dx_along_x } }, series: { hand: { x, g } } } = r;
  const line = (name, values) => row(name, values, (v) => fixed(v, 3));
  return [
    section("hand", "Numbers by hand"),
    table(
      "RMSNorm of [1, 2, 2, 4] with ε = 0: mean(x²) = 25/4, so r = 2.5; g = dL/dy.",
      ["line", right("1"), right("2"), right("3"), right("4")],
      [
        line('<var class="v">x</var>', x),
        line('<var class="v">x</var>/r', x.map((v) => v / 2.5)),
        line('<var class="v">y</var>, <var class="p">γ</var> = 1, 1, 2, 1', y),
        line('<var class="g">g</var>', g),
        line('d<var>L</var>/d<var class="p">γ</var>', dgain),
        line('d<var>L</var>/d<var class="v">x</var>', dx),
      ],
    ),
    text(
      `dL/dx stands at a right angle to x: Σ x dL/dx = ${shown(Math.abs(dx_along_x) < 1e-15 ? 0 : dx_along_x)}. To make x longer does not
        change y, so no gradient points that way.`,
    ),
    tape(r),
  ];
};

const scale = ({ numbers: { scale }, series }) => {
  const { a: x, y, f16 } = series.scale, at_root = fixed(scale.at_root_of_eps, 2);
  const drawn = plot({
    title: "RMS of RMSNorm(a·x) against a",
    more: `With ε = 0 it is 1 everywhere; with 1e-5
      it falls below ${at_root} under 3·10⁻³, with 1e-6 under 10⁻³; computed in f16 throughout it drops to 0 at
      ${fixed(scale.f16_dies_at, 0)}.`,
    x: { name: "RMS of the input, a", log: true, from: 1e-6, to: 1e6 },
    y: { name: "RMS of the output", from: 0, to: 1.15 },
    lines: [
      ...["f1", "f3", "ink"].map((colour, i) => ({ x, y: y[i], colour })),
      { ...f16, colour: "wrong", dashed: true },
    ],
    remarks: [
      { text: "ε = 1e-5", x: 4e-3, y: 0.62, colour: "f1" },
      { text: "1e-6", x: 5e-4, y: 0.62, colour: "f3", side: "left" },
      { text: "ε = 0: always 1", x: 2e-6, y: 1.07 },
      { text: "squares in f16: 0 from 256 on", x: 150, y: 0.3, colour: "wrong", side: "left" },
    ],
    dots: [[scale.a, scale.y]],
  });
  return [
    section("scale", "The knob: the scale of x"),
    figure("The scale of x is forgotten, between ε on the left and the end of f16 on the right.", drawn,
      `x = [1, −1, 1, −1]·a. ε takes over where the RMS is √ε: there the output is 1/√2 = ${at_root}. In f16 256² = 65,536 is ∞, so y =
        x/∞ = 0; statistics in f32 (<code>norm-upcast</code>) give ${fixed(scale.upcast_at_300, 2)} at 300. The dot: a =
        ${shown(scale.a)}, by <code>--scale</code>.`),
  ];
};

const AXES = {
  batch: "batch, training",
  batch_eval: "batch, eval",
  instance: "instance",
  group: "group, 3 groups",
  layer: "layer (C, H, W)",
  channel_layer: "layer (C)",
  rms: "RMS (C)",
};

const axes = ({ numbers: { axes }, series }) => [
  section("axes", "The axes of images"),
  table(
    "Images [N, C, H, W] = [4, 6, 3, 5]: how far along each axis the numbers reach on which one output depends.",
    ["norm", right("N"), right("C"), right("H"), right("W"), right("numbers averaged")],
    Object.entries(AXES).map(([id, name]) => [name, ...series.axes[id], axes[id]]),
  ),
];

const laws = ({ numbers: { laws } }) => [
  section("laws", "What a norm does not see"),
  table(
    "How much y changes (greatest difference), for each norm of the library as it starts, ε as small as f64 lets it be.",
    ["norm", right("100 x", "scale"), right("x + 5", "shift"), right("−x, against −y", "sign"), right("another token changed", "batch")],
    Object.entries(laws).map(([name, changes]) => [name, ...changes.map((change) => (change < 1e-9 ? "✓ 0" : shown(change, 2)))]),
  ),
  text(`✓ 0: below 10⁻⁹. Layer norm sees neither scale nor shift, RMSNorm sees the shift, dynamic tanh sees both; batch norm alone sees
    the other tokens of the batch.`),
];

// Loss against the step, a line a seed, from 0 to 2.5; dashed, what guessing costs.
function losses_of_seeds(runs) {
  const y = (loss) => 100 * (1 - Math.min(loss, 3) / 2.5);
  const line = (losses) => losses.map((loss, i) => `${at((160 * i) / (losses.length - 1))} ${at(y(loss))}`).join("L");
  const guess = path(`M0 ${at(y(Math.log(10)))}H160`, `${stroke("none")} stroke-width="1.6" stroke-dasharray="6 4"`);
  const lines = runs.map((losses) => path(`M${line(losses)}`, `${stroke("f1")} stroke-width="1.4"`));
  return framed(160, 100, guess + lines.join(""));
}

const NORMS = ["none", "batch", "group", "layer", "instance"];

const each_norm = ({ numbers: { images }, series: { images: { digits, labels, losses } } }) => [
  section("images", "On images"),
  figure("Which digit is it? Eight by eight pixels are enough.",
    panels(labels.map((label, i) => [label, "", heat_map({ rows: digits.slice(8 * i, 8 * i + 8), sign: true, limit: 1, cell: 10 })]), 5.5),
    `The first six of 1,797 handwritten digits, written by 13 people (Alpaydin and Kaynak, 1998; CC BY 4.0). 1,500 are trained on, 297
      held out.`),
  figure("Without a norm the network still guesses when batch norm is done.",
    panels(NORMS.map((name) => [name, `${percent(images[name].right)} right`, losses_of_seeds(losses[name])]), 7.6),
    `Training loss against the step, 0 to 100; y from 0 to 2.5; dashed: ln 10, the loss of a guess. A line a seed, ${losses.none.length}
      seeds; convolution, norm, ReLU and pooling three times over, SGD with rate 0.03 and momentum 0.9.`),
  table(
    "Held-out digits that are right, after 100 steps of 32 images.",
    ["norm", right("right", "median"), right("least"), right("greatest"), right("loss", "last 10 steps")],
    NORMS.map((name) => {
      const { right: middle, least, greatest, loss } = images[name];
      return [name, percent(middle), percent(least), percent(greatest), fixed(loss, 2)];
    }),
  ),
  text(`Instance norm gives each channel of each image the same mean and the same size. How much of a feature there is, is then forgotten,
    and it is all that the last layer, which averages each channel, could tell a digit by. It was made to remove a picture's style.`),
];

const small_batches = (r) => {
  const { batch, group } = r.series.batch_size, told = ({ y }) => [y[0], y[1], y.at(-1)].map((v) => fixed(v, 0));
  const [one, two, many] = told(batch);
  const drawn = plot({
    title: "Held-out digits that are right against the size of a batch",
    more: `Batch norm rises from ${one} % at 1
      to ${two} % at 2 and ${many} % at 32; group norm is at ${told(group).slice(0, 2).join(", ")} and ${told(group)[2]} %.`,
    x: { name: "images a batch", log: true, from: 1, to: 32 },
    y: { name: "held-out digits right (%)", from: 0, to: 100 },
    lines: [{ ...batch, colour: "f1" }, { ...group, colour: "f3" }],
    remarks: [
      { text: "batch norm", x: 1.2, y: batch.y[0] + 2, colour: "f1" },
      { text: "group norm", x: 11, y: 72, colour: "f3" },
    ],
  });
  return [
    figure("With one image a batch, batch norm has nothing to average over but the image itself.", drawn,
      `2,400 images each, so a batch of one takes 2,400 steps; rate 0.03 · batch / 32; median and range of the seeds. In training, batch
        norm of one image is instance norm, to the last bit; in use it takes the running statistics, which make it another network than
        the one that was trained.`),
    claim(r, "batch-norm-fails-at-batch-1"),
  ];
};

const claims = (r) => [
  section("claims", "Claims of the notes"),
  text(`A batch of one vector batch norm refuses: <code>${escaped(r.numbers.batch_of_one)}</code>.`),
  claim(r, "layer-norm-same-in-train-and-eval"),
  claim(r, "rms-faster"),
];

const conventions = ({ numbers: { conventions: { biased_over_unbiased, mean_over_sum } } }) => [
  section("conventions", "Same name, other formula"),
  text(
    `Divided by the unbiased deviation, with n − 1: smaller by ${fixed(biased_over_unbiased, 5)} = √(64/63). By √Σx² where others take
      √mean(x²): smaller by ${shown(mean_over_sum)} = √n. ε inside the root or outside, 10⁻⁵ or 10⁻⁶: seen where x is small, and only
      there.`,
  ),
];

export default (r) => {
  const [a, b, c, d] = r.numbers.two.y.map((v) => fixed(v, 0));
  return [
    one_number("√n", `The one number: the length of x / r, r = √mean(x²), for every x of n numbers: to within
      ${shown(r.numbers.length.relative_error, 2)} for n = 2 to 768 and sizes 10⁻⁶ to 10⁶. And layer norm of two numbers leaves a sign:
      [1, 2] becomes [${a}, ${b}], [5, −300] becomes [${c}, ${d}].`),
    predict(r),
    maps(r),
    by_hand(r),
    scale(r),
    axes(r),
    laws(r),
    r.numbers.images ? [each_norm(r), small_batches(r)] : [], // no mistake of --bug is in these
    published(r),
    claims(r),
    conventions(r),
  ];
};
