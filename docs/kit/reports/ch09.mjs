// Encoder and decoder: where it looks while it writes, numbers by hand, lengths, claims, the paper's model call by call.
import { heat_map, key_of, panels } from "../heat_map.mjs";
import { claim, figure, formula, one_number, predict, right, section, table, tape, text } from "../parts.mjs";
import { plot } from "../plot.mjs";
import { escaped, fixed, percent, shown } from "../words.mjs";

// Rows: what is written; columns: what was read, and the mark.
const map_of = ({ weights, written, read }, cell, alt) => ({ rows: weights, limit: 1, cell, alt, row_names: [...written],
  column_names: [...read] });

// The mean weight on the letter that is to be written: n - 1 - t at place t.
const on_the_letter = (weights) => weights.reduce((sum, row, t) => sum + row[weights.length - 1 - t], 0) / weights.length;

const small_map = (title, one) => [title, `${percent(on_the_letter(one.weights))} on the letter to write`, heat_map(map_of(one, 14))];

const picture = ({ numbers, series: { picture: { trained, cut, heads } } }) => {
  const share = numbers.picture.on_the_letter;
  const with_wire = map_of(trained, 26,
    `Heat map of cross-attention: rows are the eight letters written, ${trained.written}, columns the letters read, ${trained.read}. The
      dark cells lie on the anti-diagonal, with a mean weight of ${shown(share)}.`);
  const without = map_of(cut, 26, "The same map with the wire cut: every cell is exactly 0.");
  return [
    section("picture", "Where it looks while it writes"),
    figure("To write the first letter it looks at the last it has read: an anti-diagonal.", panels([
      ["trained", `${percent(share)} of the weight on the letter to write`, heat_map(with_wire)],
      ["the wire cut", "nothing is seen: exactly 0", heat_map(without)],
    ], 18) + key_of(with_wire, "weight"),
      `Weights of the decoder’s cross-attention, mean of its four heads, on a sequence it has not seen. Rows: the letters it writes;
        columns: the letters it was given, and a mark that ends them.`),
    figure("The heads one by one.", panels(Object.entries(heads).map(([h, one]) => small_map(`head ${h}`, one))),
      "The same sequence. What one head does not see, another may."),
  ];
};

const cross_attention = () => [
  section("formula", "Cross-attention"),
  formula("{v q} = {v x} {p W}{sub q}", "{v k} = {v m} {p W}{sub k}", "{v v} = {v m} {p W}{sub v}",
    "{v y} = softmax({frac {v q} {v k}{sup T} | {root {c d}{sub head}}}) {v v}"),
  text(`<var class="v">x</var> is what the decoder has written so far, <var class="v">m</var> what the encoder made of the source: queries
    come from the decoder, keys <em>and</em> values from the encoder. (One of the notes behind this course says queries and keys: an
    output would then be a mean of the decoder’s own values.) A decoder block is masked self-attention, cross-attention and a feed-forward
    layer, each with its norm.`),
];

const by_hand = (r) => [
  section("hand", "Numbers by hand"),
  table(
    "e<sup>q·k</sup> is 8 for the right key and 1 for two others, so the weights are 8/10, 1/10, 1/10. Values 10, 20, 30.",
    ["place", "weights", right("output")],
    r.series.hand.weights.map((row, t) => [t + 1, row.map((w) => fixed(w, 1)).join(", "), fixed(r.numbers.hand.y[t], 0)]),
  ),
  text("27 for 30, 20, 13 for 10: the values in reverse, a little blurred. Training makes the fit larger, and the blur goes."),
  tape(r),
];

const lengths = ({ numbers, series: { lengths } }) => {
  const { trained_at_8: one, trained_at_1_to_8: many } = numbers.lengths, chance = 100 * numbers.held_out.chance;
  const x = one.map((_, i) => i + 1), at = (y, n) => `${shown(y[n - 1])} % at ${n}`, longest = x.length;
  const drawn = plot({
    title: "Letters right against the length of the sequence",
    more: `Trained at 8:
      ${[7, 8, 9].map((n) => at(one, n)).join(", ")}. Trained at 1 to 8: ${[4, 8, 9, 12].map((n) => at(many, n)).join(", ")}. Chance is
      ${shown(chance)} %.`,
    x: { name: "letters in the test", from: 1, to: longest },
    y: { name: "letters right (%)", from: 0, to: 104 },
    lines: [
      { x, y: one, colour: "f4" },
      { x, y: many, colour: "f1" },
      { name: "chance", x: [1, longest], y: [chance, chance], colour: "none" },
    ],
    remarks: [
      { text: "trained at 1 to 8", x: 3, y: 93, colour: "f1" },
      { text: "trained at 8", x: 2.3, y: 40, colour: "f4" },
    ],
  });
  const code = (letters) => `<code>${letters}</code>`;
  return [
    section("lengths", "What did it learn: to reverse, or to reverse eight letters?"),
    figure("Trained on eight letters it can reverse eight, not seven. Trained on one to eight, it breaks off after eight.", drawn,
      `Written letter by letter, each time the likeliest, ${lengths.sequences} sequences for each length. Positions are sinusoidal and
        absolute: the decoder never saw place 9.`),
    table(
      `One sequence of ${lengths.right.length} letters (<code>--length</code>).`,
      ["model", "given", "written", "right"],
      ["trained at 8", "at 1 to 8"].map((name, i) => [name, code(lengths.given), code(lengths.written[i]), code(lengths.right)]),
    ),
    figure("Beyond eight letters the anti-diagonal frays.",
      panels(Object.entries(lengths.maps).map(([n, one]) => small_map(`${n} letters`, one)), 13),
      "Cross-attention of the model that was trained on one to eight letters, mean of its heads, three sequences."),
  ];
};

const claims = (r) => [
  section("claims", "Claims"),
  claim(r, "wire-needed", false),
  section("same-name", "Same name, other formula"),
  table("Three attentions in one model: the formula is one, what goes in differs.", ["attention", "queries", "keys, values", "mask"], [
    ["of the encoder", "source", "source", "padding"],
    ["of the decoder", "target", "target", "causal"],
    ["cross", "target", "source", "padding of the source"],
  ]),
];

// In a path a line may break after each dot.
const path_html = (path) => `<code>${path.replaceAll(".", ".<wbr>")}</code>`;

const calls = ({ numbers, series }) => {
  const rows = series.calls.map((path) => {
    const { type, shape, reads } = path.split(".").reduce((at, part) => at[part], numbers.calls);
    return [path_html(path), escaped(type), `[${shape.join(", ")}]`, reads.length ? path_html(reads.join(", ")) : "ids"];
  });
  return [
    section("calls", "The Transformer of 2017, call by call"),
    text("Vaswani and colleagues’ sizes: six blocks that read and six that write, all alike, so that the parts of the first are enough."),
    table("Each call of one forward, what it makes, and what it reads.", ["call", "what it is", "shape", "reads"], rows),
  ];
};

export default (r) => {
  const { letters, cut, chance } = r.numbers.held_out;
  return [
    one_number(`${percent(letters, 1)} against ${percent(cut, 1)}`,
      `The one number: letters right on sequences it has not seen, with the wire and with the wire cut. Chance is 1/16 =
        ${percent(chance, 2)}.`),
    predict(r),
    picture(r),
    cross_attention(),
    by_hand(r),
    lengths(r),
    claims(r),
    calls(r),
  ];
};
