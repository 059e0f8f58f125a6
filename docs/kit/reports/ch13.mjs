// Many machines: which bits differ, what messages cost, a step on two ranks, widths, overlap, the bubble, ZeRO, wrong steps.
import { command, figure, formula, one_number, predict, right, section, table, text } from "../parts.mjs";
import { plot } from "../plot.mjs";
import { published } from "../published.mjs";
import { timeline, timeline_table } from "../timeline.mjs";
import { escaped, fixed, shown, with_commas } from "../words.mjs";

const percent = (x) => (Number.isNaN(x) ? "no MPI" : fixed(x, 1));
const ms = (seconds) => shown(1000 * seconds);

const bits = ({ numbers: { bits }, series: { bits: { ranks, sizes } } }) => {
  const orders = [["in the order of ranks", bits.rank_order], ["by a ring", bits.ring], ["by a tree", bits.tree], ["by MPI", bits.mpi]];
  return [
    section("bits", "The order decides the bits"),
    table(
      "Percent of the sums whose bits are not those of a binary tree, (x₀ + x₁) + (x₂ + x₃). The numbers are normal, in f32.",
      ["numbers on each rank", ...orders.map(([name]) => right(name, "%"))],
      ranks.flatMap((n, i) =>
        sizes.map((size, j) => [`${n} ranks, ${with_commas(size)}`, ...orders.map(([, rows]) => percent(rows[i][j]))])
      ),
    ),
    text(
      "Two numbers have one sum: a + b = b + a. With three, (a + b) + c and a + (b + c) are rounded in other places. Doubling, halving and the " +
        "tree add as a binary tree; a ring begins each part at another rank. MPI chooses by size and version.",
    ),
  ];
};

const LOOKS = { doubling: "f1", halving: "f2", tree: "f3", ring: "f4" };

const costs = ({ numbers: { cost: { declared, fitted, ...all } } }) => {
  const drawn = plot({
    title: "Seconds of an all-reduce of four ranks against bytes",
    more: `Measured for a megabyte: ${Object.entries(all).map(([name, rows]) => `${name} ${ms(rows.at(-1)[1])} ms`).join(", ")}`,
    x: { name: "bytes", log: true, from: 3000, to: 1.1e6 },
    y: { name: "milliseconds", log: true, from: 3, to: 1000 * Math.max(...Object.values(all).flat().flatMap(([, ...seconds]) => seconds)) },
    lines: Object.entries(all).map(([name, rows]) => ({
      name,
      x: rows.map(([bytes]) => bytes),
      y: rows.map(([, , law]) => 1000 * law),
      colour: LOOKS[name],
    })),
    dots: Object.entries(all).flatMap(([name, rows]) => rows.map(([bytes, seconds]) => [bytes, 1000 * seconds, LOOKS[name]])),
  });
  return [
    section("costs", "What a message costs"),
    figure("Small sums pay for messages, large ones for bytes: the lines cross.", drawn,
      `Lines: the cost laws. Dots: measured, the least of several, four ranks as threads over a link whose speed is declared and slept: α = ${
        ms(declared[0])
      } ms, ${shown(1e-6 / declared[1])} MB/s. Redraw: ${command("ch13 --latency 0.5 --bandwidth 20")}`),
    formula("{m doubling} = {m log}{sub 2} {c n} ({v α} + {v β} {c b})",
      "{m ring} = 2 ({c n} − 1) {v α} + 2 {frac {c n} − 1 | {c n}} {v β} {c b}"),
    text(
      `Fitted to all dots: α = ${ms(fitted[0])} ms and ${shown(1e-6 / fitted[1])} MB/s. What threads add to the declared times is in it.`,
    ),
  ];
};

const steps = ({ numbers: { step } }) => {
  const ranks = [1, 2, 4], measured = [[1, step.one], [2, step.two], [2, step.two_by_mpi]].filter(([, seconds]) => !Number.isNaN(seconds));
  const drawn = plot({
    title: "Milliseconds of a step against ranks",
    x: { name: "ranks", log: true, from: 1, to: 4 },
    y: { name: "milliseconds", from: 0, to: 1.1e3 * Math.max(step.one, step.two) },
    lines: [{ name: "law", x: ranks, y: step.law.map((seconds) => 1000 * seconds), colour: "f1" }],
    dots: measured.map(([n, seconds], i) => [n, 1000 * seconds, ["ink", "f2", "f3"][i]]),
    remarks: measured.slice(1).map(([n, seconds], i) => (
      { text: ["threads\u00a0\u00a0", "\u00a0\u00a0processes"][i], x: n, y: 1000 * seconds, colour: ["f2", "f3"][i],
        side: ["left", "right"][i] }
    )),
  });
  return [
    section("step", "A step on two ranks"),
    figure("Two ranks take half the time, and the messages.", drawn,
      `Line: the time of one rank over n, and an all-reduce by doubling over the threads’ own link, fitted to four sizes as ${
        shown(1e6 * step.link[0])
      } µs and ${shown(1e-9 / step.link[1])} GB/s. Dots: measured, the least of several.`),
    table(
      "A step of the same work, in milliseconds.",
      ["", right("time", "ms")],
      [["one rank", ms(step.one)], ["two ranks, threads", ms(step.two)], [
        "two ranks, processes by Open MPI",
        Number.isNaN(step.two_by_mpi) ? "no MPI" : ms(step.two_by_mpi),
      ], ["law: half of it, and the messages", ms(step.law[1])]],
    ),
  ];
};

const widths = ({ numbers: { width, cluster } }) => {
  const x = width.points.map(([d]) => d), known = !Number.isNaN(width.equal);
  const drawn = plot({
    title: "Computing and messages of a step against the model's width",
    x: { name: "width of the model", from: x[0], to: x.at(-1) },
    y: { name: "milliseconds", from: 0 },
    lines: [
      { name: "computing", x, y: width.points.map(([, , seconds]) => 1000 * seconds), colour: "f1" },
      { name: "messages", x, y: width.points.map(([, , , seconds]) => 1000 * seconds), colour: "f2" },
    ],
  });
  return [
    section("width", "When is a step mostly computing?"),
    figure("A narrow model waits for messages, a wide one computes.", drawn,
      `Four ranks, 512 tokens each, two layers. Computing: measured on one thread. Messages: a ring, by its law, over a link of 6 ms and 1 GB/s.`),
    text(
      known
        ? `By the line that fits the times best, both cost the same at width ${shown(width.equal)}.`
        : "By the line that fits the times best, one of the two costs more at every width.",
    ),
    text(
      `Both grow with the parameters, so bandwidth alone sets no width. It sets how many tokens a rank must have: on 1,000 ranks of 400 TFLOP/s
      at 50 GB/s at least ${with_commas(Math.ceil(cluster.least_tokens))}. The latency of a ring of 1,000 sets the width.`,
    ),
    table(
      "Computed, not measured: 1,000 ranks, α = 10 µs, 50 GB/s and 400 TFLOP/s each, 32 layers, no overlap.",
      ["tokens of a rank", right("width at which a ring costs as much as computing")],
      cluster.widths.map(([tokens, d]) => [with_commas(tokens), Number.isNaN(d) ? "none" : with_commas(Math.round(d))]),
    ),
  ];
};

// The numbers timeline.KIND.RANK as events.
const events_of = (kinds) =>
  Object.values(kinds.walk).map((_, rank) =>
    Object.entries(kinds).flatMap(([kind, ranks]) => Object.values(ranks)[rank].map(([begin, end]) => ({ kind, begin, end })))
  );

const overlap = ({ numbers: { timeline: kinds, overlap } }) => [
  section("overlap", "What overlap hides"),
  figure("Messages go out while the walk still runs.", timeline(events_of(kinds)),
    "One step on two ranks, each with two micro-batches; a link of α = 0.2 ms and 100 MB/s, declared. Gradients go in buckets of 512 kB."),
  timeline_table(events_of(kinds)),
  text(
    `A step takes ${ms(overlap.with)} ms so, and ${ms(overlap.without)} ms if all goes in one message at the end${
      overlap.with < overlap.without ? "" : ": no gain here"
    }. The least of 20 each, measured in turn.`,
  ),
];

const bubble = ({ numbers: { bubble, diaries } }) => {
  const micro_batches = [1, 2, 4, 8, 16, 32], stages = [2, 4, 8];
  const drawn = plot({
    title: "Share of a pipeline's time that is waiting, against micro-batches",
    x: { name: "micro-batches", log: true, from: 1, to: 32 },
    y: { name: "waiting (%)", from: 0, to: 100 },
    lines: stages.map((p, i) => ({ name: `${p} stages`, x: micro_batches, y: bubble[i].map((w) => 100 * w), colour: `f${i + 1}` })),
  });
  const lanes = (rows) => `<pre tabindex="0">${rows.map((row, rank) => `rank ${rank}  ${escaped(row)}`).join("\n")}</pre>`;
  return [
    section("bubble", "The bubble of a pipeline"),
    figure("More micro-batches, less waiting.", drawn, "Counted in schedules of units of time; equal to (p − 1)/(m + p − 1)."),
    text("Four stages, eight micro-batches; F: forward, B: backward, a dot: waiting. First all forward, then all backward:"),
    lanes(diaries.all_forward),
    text("One forward, one backward: the same bubble, but at most four tapes are kept at once, not eight."),
    lanes(diaries.one_by_one),
  ];
};

const zero = ({ numbers: { zero } }) => [
  section("zero", "Bytes of a rank under ZeRO"),
  table(
    "On the rank of four that has most, in kB, as measured: eight feed-forward layers of width 64, AdamW.",
    ["", right("parameters"), right("gradients"), right("moments"), right("all")],
    [["all on each rank", zero.stage_0], ["stage 1: moments shared out", zero.stage_1], ["stage 3: all shared out", zero.stage_3]].map((
      [name, held],
    ) => [name, ...[...held, held.reduce((a, b) => a + b)].map((bytes) => fixed(bytes / 1000, 0))]),
  ),
];

export default (r) => [
  one_number(`${fixed(r.numbers.bits.ring[2].at(-1), 0)} %`,
    "The one number: how many sums of four ranks have other bits by a ring than by a tree, of the same numbers."),
  predict(r),
  bits(r),
  costs(r),
  steps(r),
  widths(r),
  overlap(r),
  bubble(r),
  zero(r),
  published(r),
];
