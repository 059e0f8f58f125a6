// The chapters of the book: their pages, the program of each, and which formulas belong to it.
import { read } from "./tree.mjs";

export const chapters = [
  { number: "00", title: "The tape", pages: ["ch00.md"], program: "examples/ch00_tape/ch00_tape.cpp", ids: /^op-/ },
  { number: "01", title: "Softmax", pages: ["ch01.md"], program: "examples/ch01_softmax/ch01_softmax.cpp", ids: /^act-(log-)?softmax$/ },
  {
    number: "02",
    title: "Activations",
    pages: ["ch02.md", "ch02-smooth.md"],
    program: "examples/ch02_activations/ch02_activations.cpp",
    ids: /^act-/,
  },
  { number: "03", title: "Feed-forward", pages: ["ch03.md", "ch03-experts.md"], program: "examples/ch03_feed_forward/ch03_feed_forward.cpp",
    ids: /^ffn-/ },
  { number: "04", title: "Norms", pages: ["ch04.md", "ch04-batch.md"], program: "examples/ch04_norms/ch04_norms.cpp", ids: /^norm-/ },
  {
    number: "05",
    title: "Absolute positions",
    pages: ["ch05.md"],
    program: "examples/ch05_absolute/ch05_absolute.cpp",
    ids: /^pos-(taxonomy|sinusoidal.*|heatmap|learned|rnn|none)$/,
  },
  {
    number: "06",
    title: "Relative positions",
    pages: ["ch06.md", "ch06-scores.md"],
    program: "examples/ch06_relative/ch06_relative.cpp",
    ids: /^pos-/,
  },
  { number: "07", title: "Attention", pages: ["ch07.md"], program: "examples/ch07_attention/ch07_attention.cpp", ids: /^attn-/ },
  {
    number: "08",
    title: "Blocks",
    pages: ["ch08.md", "ch08-more.md", "ch08-streams.md"],
    program: "examples/ch08_placement/ch08_placement.cpp",
    ids: /^block-/,
  },
  {
    number: "09",
    title: "Encoder and decoder",
    pages: ["ch09.md", "ch09-cells.md"],
    program: "examples/ch09_encoder_decoder/ch09_encoder_decoder.cpp",
    ids: /^model-(?!lm|tying|shape|layer-pattern|softcap|layouts)/,
  },
  {
    number: "10",
    title: "Optimisation",
    pages: ["ch10.md", "ch10-adam.md", "ch10-schedules.md", "ch10-starts.md", "ch10-dropout.md"],
    program: "examples/ch10_optimisation/ch10_optimisation.cpp",
    ids: /^(optim|schedule|init|regular)-/,
  },
  {
    number: "11",
    title: "A language model",
    pages: ["ch11.md", "ch11-losses.md"],
    program: "examples/ch11_language_model/ch11_language_model.cpp",
    ids: /^(model|loss)-/,
  },
  { number: "12", title: "The matrix", pages: ["ch12.md"], program: "examples/ch12_matrix/ch12_matrix.cpp", ids: /^$/ },
  { number: "13", title: "Many machines", pages: ["ch13.md"], program: "examples/ch13_ranks/ch13_ranks.cpp", ids: /^dist-/ },
];

// For an id, the first that takes it.
export const chapter_of = (id) => chapters.find(({ ids }) => ids.test(id));

// What is beside the chapters, in the order of the sidebar; those that are not there are left out.
export const framework_pages = ["inside.md", "stepping.md", "how-to-add.md", "install.md", "wsl.md", "changelog.md"];
export const measured_pages = ["transformer.md", "ablations.md", "claims.md", "errata.md", "conventions.md"];
export const other_pages = [
  "path.md",
  "thread.md",
  "exercises.md",
  ...framework_pages,
  ...measured_pages,
  "formulas.md",
  "notes.md",
  "cheat-sheet.md",
  "glossary.md",
  "teaching.md",
];

// The ids of tests/formula_ids.txt, with their heading: "a formula", "a convention", …
export function listed_ids() {
  let kind;
  const ids = [];
  for (const line of read("tests/formula_ids.txt").split("\n")) {
    if (line.startsWith("## ")) kind = line.slice(3, line.indexOf(":"));
    else if (line && !line.startsWith("#")) ids.push({ id: line, kind });
  }
  return ids;
}

// The ids that need a section: the formulas, and the ops that the book shows.
export const formula_ids = () =>
  listed_ids()
    .filter(({ kind }) => kind === "a formula" || kind === "an op that the book shows")
    .map(({ id }) => id);
