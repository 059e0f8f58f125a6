// A training run: its loss and the lines of counting, what it says, how it was made, and a suspicion if there is one.
import { first_below, loss_plot } from "../loss_plot.mjs";
import { figure, one_number, right, section, svg_file, table, text, transcript } from "../parts.mjs";
import { timeline, timeline_table } from "../timeline.mjs";
import { escaped, fixed, shown, with_commas } from "../words.mjs";

const MODELS = [
  ["guess", "nothing: ln 256"],
  ["unigram (bytes)", "how often each byte comes"],
  ["bigram (pairs)", "what comes after a byte"],
  ["trigram (triples)", "what comes after two"],
];

const loss = ({ series: { training, validation, lines, suspicions }, reached }) => [
  section("loss", "The loss"),
  validation.y.length
    ? one_number(fixed(validation.y.at(-1), 3),
      `Cross-entropy on validation text, in nats per byte, after ${shown(validation.x.at(-1))} steps. ${escaped(reached)}`)
    : [],
  suspicions.map((one) => text(`<strong>A suspicion:</strong> ${escaped(one)}.`)),
  figure("Each line that the loss falls below is something learned that counting does not know.",
    loss_plot({ training, validation, heights: lines }) + svg_file("loss.svg"),
    `Line: the training loss, means over neighbouring batches, with z-loss and label smoothing where the run has them. Dots: cross-entropy
      on validation text, the last on all of it. Dashed: what counting reaches there.`),
  table(
    "What counting alone reaches on the same validation text, counted in the training text.",
    ["model", "it knows", right("loss", "nats per byte"), right("first seen below", "at step")],
    MODELS.map(([name, knows], i) => {
      const step = first_below(validation, lines[i]);
      return [name, knows, fixed(lines[i], 3), step === undefined ? "–" : shown(step)];
    }),
  ),
];

// Where there are several ranks, once they have made a step.
const last_step = ({ timelines = [] }) =>
  timelines.some((events) => events.length > 0)
    ? [
      section("timeline", "The last step, rank by rank"),
      figure("Messages below a backward pass are sent while it runs; the others are waited for.", timeline(timelines),
        "Each bar was recorded by its rank, by its own clock. Messages: sums of buckets of gradients; waiting: for those that were not there when the walk had ended."),
      timeline_table(timelines),
    ]
    : [];

export default (r) => ({
  body: [
    loss(r),
    last_step(r),
    r.sample ? [section("sample", "What it says"), transcript(r.sample, "A sample of the model")] : [],
    section("configuration", "How it was made"),
    table(
      "The shape and the pace of the run; <code>config.json</code> beside this page has every option.",
      ["option", "value"],
      Object.entries(r.config).map(([name, value]) => [`<code>${escaped(name)}</code>`, escaped(value)]),
    ),
  ],
  made: [
    ["parameters", with_commas(r.parameters)],
    ["numbers", "<code>metrics.jsonl</code> beside this page, one line a step"],
  ],
});
