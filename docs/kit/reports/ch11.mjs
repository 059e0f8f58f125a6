// A language model: the lines that it passes, without attention, before the first step, temperature, tying, z-loss, shapes.
import { panels } from "../heat_map.mjs";
import { loss_plot } from "../loss_plot.mjs";
import { claim, command, figure, formula, one_number, predict, right, same_name, section, table, tape, text, transcript } from "../parts.mjs";
import { plot } from "../plot.mjs";
import { span } from "../statistics.mjs";
import { escaped, fixed, shown, with_commas } from "../words.mjs";

// No line longer than 76 characters.
const in_lines = (words) => words.split("\n").map((one) => (one.match(/.{1,76}/gsu) ?? [""]).join("\n")).join("\n");

const MEANINGS = {
  guess: "some bytes are likelier than others",
  unigram: "how often each byte comes, and more",
  bigram: "what comes after a byte, and more",
  trigram: "more than what comes after two bytes",
};

const lines_passed = ({ numbers: { lines, passed, ngrams }, series: { validation, blind, added_count } }) => {
  const all = Object.entries(passed ?? {}), names = Object.keys(MEANINGS);
  const drawn = loss_plot({
    title: "A model passes guess, unigram, bigram and trigram",
    validation,
    heights: lines,
    others: [{ name: "attention cut", ...blind, colour: "wrong" }],
  });
  return [
    section("lines", "Four lines, passed one after the other"),
    figure(all.length === 4
      ? "It learns how often bytes come, then what follows one, then what follows two, then more than counting can say."
      : "It learns how often bytes come, then what follows what.", drawn,
      `Cross-entropy on the validation text, ${shown(validation.y.at(-1))} after ${shown(validation.x.at(-1))} steps. Dashed: models that
        count bytes in the training text, adding ${added_count} to each count. Dots: first seen below. Attention cut: each position sees
        itself alone, as further below. d = 64, 2 blocks, 4 heads, context 64, batch 16, AdamW at 0.006. Redraw: ${command("ch11")}`),
    all.map(([line, { step, sample }]) => [
      text(`<b>Below the ${line} line, ${fixed(lines[names.indexOf(line)], 2)} nats, at step ${step}</b>: ${MEANINGS[line]}.`),
      transcript(in_lines(sample), `Sample at step ${step}`),
    ]),
    formula("{v P}({m c} ∣ {m h}) = {frac {m n}({m h c}) + {c α} | {m n}({m h}) + 256 {c α}}", "{v L} = mean of −log {v P}"),
    table(
      `A line moves with what is added to each count: the trigram’s most, as most of its contexts are rare. Each is an upper bound of the
        text’s entropy, none is the entropy.`,
      ["added to each count", right("unigram", "nats"), right("bigram", "nats"), right("trigram", "nats")],
      [1, 0.1, 0.01].map((alpha) => [alpha, ...ngrams[`alpha_${100 * alpha}`].map((loss) => fixed(loss, 3))]),
    ),
  ];
};

const without_attention = ({ numbers: { blind, lines, final } }) => [
  section("blind", "Without attention"),
  text(
    `The same model, the same steps, but each position sees itself alone: it ends at ${fixed(blind.loss, 3)} nats, with attention at
      ${fixed(final.loss, 3)}. No training can help it. Whoever knows one byte cannot get below ${fixed(blind.bound, 3)}, the validation
      text’s own bigram entropy; what a table counted in the training text reaches there, ${fixed(lines[2], 3)}, is what one can hope for.`,
  ),
];

const HEADS = [["zero", "0"], ["20", "N(0, 0.02²)"], ["125", "N(0, 0.125²)"], ["250", "N(0, 0.25²)"]];

const the_start = ({ numbers: { start } }) => [
  section("start", "Before the first step"),
  formula("{v L} = log {m Z} − {v z}{sub y}", "log {m Z} = log Σ{sub j} e{sup {v z}{sub j}} ≈ ln 256 + {frac {c s}² | 2}"),
  table(
    `The same model before its first step, by how its head begins. A loss that starts far above ln 256 is the head’s noise, which the
      first steps must unlearn. Measured: the mean of 16 seeds.`,
    ["head begins", right("a score’s s²", "d std²"), right("ln 256 + s²/2", "nats"), right("measured", "nats")],
    HEADS.map(([id, name]) => [name, ...start.head[id].map((v) => fixed(v, 3))]),
  ),
  text(
    `So it is with <code>train</code>, whose head is the embedding: its rows have the length 1, so s² is about 1, and the loss begins near
      6.0. That is the price of one table for both ends.`,
  ),
];

const by_hand = ({ numbers: { hand: { ngrams: [unigram, bigram], temperature: [half, one, two] } } }) => [
  section("hand", "Numbers by hand"),
  table(
    "The text <code>abac</code>, and the scores z = [0, ln 4], so e<sup>z</sup> = [1, 4].",
    ["question", "by hand", right("computed")],
    [
      ["loss of <code>a</code>, by counts", "2 of 4: ln 2", fixed(unigram, 4)],
      ["loss of <code>b</code> after <code>a</code>", "b, c: ln 2", fixed(bigram, 4)],
      ["second probability at T = 1", "4/(1 + 4)", fixed(one, 4)],
      ["second probability at T = 2", "2/(1 + 2), as 4<sup>1/2</sup> = 2", fixed(two, 4)],
      ["second probability at T = 0.5", "16/(1 + 16), as 4<sup>2</sup> = 16", fixed(half, 4)],
    ],
  ),
];

// The likeliest bytes as bars, the first at the top; the same bytes in every panel.
const bars = (shares, names) => {
  const row = (share, i) =>
    `<span style="text-align:right"><code>${escaped(names[i])}</code></span><span
      style="background:var(--value);height:.7em;align-self:center;width:${(100 * share).toFixed(1)}%"></span><span>${
      share.toFixed(3)
    }</span>`;
  return `<div style="display:grid;grid-template-columns:3.2rem minmax(0,1fr) 3rem;gap:0
    .5rem;font-size:.8125rem;line-height:1.6">${shares.map(row).join("")}</div>`;
};

const temperature = ({ numbers, series: { prompt, temperature: { names, paths, bytes, shares } } }) => {
  const of = (i) => numbers.temperature[paths[i]];
  const draws = 2000, drawn = Math.round(draws * numbers.temperature[100].drawn);
  const samples = names.map((name, i) => `${name}: ${in_lines(prompt + of(i).sample)}`);
  return [
    section("temperature", "Temperature"),
    formula("{v p}{sub i} = softmax({frac {v z} | {c T}}){sub i}", "{m H} = −Σ {v p}{sub i} log {v p}{sub i}"),
    figure("The scores stay as they are; temperature says how much their differences count.",
      panels(names.map((name, i) => [name, `entropy ${fixed(of(i).entropy, 2)} nats`, bars(shares[i], bytes)]), 12),
      `What follows “${escaped(prompt)}”: the likeliest eight of 256 bytes, by the same scores. Temperature divides them: at 0 the
        likeliest byte alone is left, far above 1 all are alike, ln 256 = 5.55 nats. Top 5 leaves five bytes and scales them to 1. Of
        ${with_commas(draws)} draws at T = 1, ${drawn} were the likeliest. Yours: <code>--temperature 0.7 --prompt "ROMEO:"</code>`),
    transcript(samples.join("\n\n"), "What the model writes at each temperature"),
  ];
};

const tying = (r) => {
  const { parameters: [tied, copied], outputs_apart, gradient_apart, gradient, rows, drift } = r.numbers.tying;
  return [
    section("tying", "One table, two uses"),
    formula("{m logits} = {v x} {p E}{sup T},  {v x}{sub 0} = {p E}[{m id}]", "{frac d{v L} | d{p E}} = lookup’s + head’s"),
    table(
      `A head that <i>is</i> the embedding, and one that began as a copy of it (bug <code>model/tying-lost</code>): the same outputs, the
        same loss, another model.`,
      ["head", right("parameters"), right("rows moved", "of 256"), right("apart by", "after a step")],
      [
        ["the embedding", with_commas(tied), shown(rows[0]), "0"],
        ["a copy", with_commas(copied), shown(rows[1]), shown(drift)],
      ],
    ),
    text(
      `The two models’ outputs differ by ${shown(outputs_apart)}. The shared table’s gradient and the sum of the copy’s two differ by
        ${shown(gradient_apart, 2)} of ${shown(gradient, 2)}: rounding. A lookup moves the rows of the ids that came, the head those of
        all. A load that copies instead of sharing is the published bug (rasbt/LLMs-from-scratch#822): nothing fails, the count of
        parameters tells.`,
    ),
    tape(r),
  ];
};

const z_loss = ({ series: { z_loss: { without, with: pulled } } }) => {
  const drawn = plot({
    title: "Mean logZ while a model learns, with z-loss and without",
    x: { name: "step", from: 0, to: without.x.at(-1) },
    y: { name: "mean logZ" },
    lines: [{ name: "c = 0", ...without, colour: "none" }, { name: "c = 0.01", ...pulled }],
  });
  return [
    section("z-loss", "Scores that drift"),
    formula("{v L} = CE + {c c} (log {m Z})²", "CE({v z} + {m a}) = CE({v z})"),
    figure("Cross-entropy does not see how high all scores lie; z-loss does, and pulls logZ towards 0.", drawn,
      "Mean over 1,024 validation bytes of logZ = log Σ e<sup>z</sup>; it begins at ln 256. One seed."),
  ];
};

const claims = (r) => {
  const { numbers: { shape }, series: { shapes: { widths, aspects, advice } } } = r;
  const row = ([layers, { losses, parameters }], i) => [
    `d = ${widths[i]}, ${layers} block${layers === "1" ? "" : "s"}`,
    shown(aspects[i]),
    with_commas(parameters),
    span(losses, 2),
    advice[i] || "usual",
  ];
  return [
    section("claims", "Claims"),
    claim(r, "z-loss-bounds-logits"),
    claim(r, "tying-saves-parameters"),
    claim(r, "tying-improves"),
    claim(r, "dropout-unneeded-on-one-pass"),
    table(
      "Models of about the same size, from wide to deep. Loss on validation text, least to greatest of three seeds.",
      ["shape", right("d/L"), right("parameters"), right("loss", "nats"), "the guide says"],
      Object.entries(shape).map(row),
    ),
    claim(r, "aspect-ratio-100-to-156"),
  ];
};

const WORDS = [
  ["loss", "nats per byte", "bits per byte: divided by ln 2; nats per token, of tokens of several bytes: not comparable"],
  ["perplexity", "e<sup>L</sup> per byte", "per word, or per token of a vocabulary of one’s own"],
  ["temperature 0", "the limit: always the likeliest byte", "an error, or a division by 0"],
  ["trigram", "two bytes before", "three words"],
];

export default (r) => [
  one_number(fixed(r.numbers.start.loss, 3),
    `The one number: nats per byte before the first step. A guess among 256 bytes costs ln 256 = 5.545; if a model begins elsewhere, its
      init or its head is wrong.`),
  predict(r),
  lines_passed(r),
  without_attention(r),
  the_start(r),
  by_hand(r),
  temperature(r),
  tying(r),
  z_loss(r),
  claims(r),
  same_name("these words mean", "word", WORDS),
];
