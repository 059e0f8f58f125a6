// Six mistakes that the tests or the guide of another course let pass, each made in an answer of the project and handed in, and
// what the tutor says to it: docs/made/results/passed-elsewhere.json.
//   node passed_elsewhere.mjs EXERCISES     prints it; EXERCISES is the program
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const answers = resolve(dirname(fileURLToPath(import.meta.url)), "../../../examples/exercises/answers");
const torchcode = (task, name) => ({
  name: `TorchCode's tests of ${name}`,
  link: `https://github.com/duoan/TorchCode/blob/8a49ba150f76c92fc6e2fd30631e07b88c803988/torch_judge/tasks/${task}.py`,
});
const rms_norm = torchcode("rmsnorm", "RMSNorm");
const too_small_to_show = "the rows have a mean square near 1, where an ε of 10⁻⁶ is less than the tolerance of 10⁻⁵";

// What is wrong; whose tests or guide it passes, and why; and the answer with `from` replaced by `to`.
const mistakes = [
  {
    exercise: "rope",
    wrong: "`return q, k`",
    passes: torchcode("rope", "RoPE"),
    because: "they ask for shapes and lengths, and compare q · k at equal positions only",
    from: /for \(int k = 0; k < width \/ 2; \+\+k\) \{[^]*?\n {4}\}\n {4}for \(int j = width; /,
    to: "for (int j = 0; ",
  },
  {
    exercise: "heads",
    wrong: "`repeat` for `repeat_interleave`: shared heads as 0 1 0 1",
    passes: torchcode("gqa", "grouped queries"),
    because: "no test compares an output, and the one about shared heads repeats them itself",
    from: /\{batch, groups, 1, length, width\}([^]*?)\{batch, groups, heads \/ groups, length, width\}/,
    to: "{batch, 1, groups, length, width}$1{batch, heads / groups, groups, length, width}",
  },
  {
    exercise: "attention",
    wrong: "no 1/√d",
    passes: torchcode("causal_attention", "causal attention"),
    because: "they ask which keys are seen; only the first row, where a single key is seen, is compared with what is right",
    from: " / std::sqrt(q.columns);",
    to: ";",
  },
  {
    exercise: "rms-norm",
    wrong: "ε outside the root",
    passes: rms_norm,
    because: too_small_to_show,
    from: "std::sqrt(sum / x.columns + eps)",
    to: "std::sqrt(sum / x.columns) + eps",
  },
  {
    exercise: "rms-norm",
    wrong: "no ε",
    passes: rms_norm,
    because: too_small_to_show,
    from: "std::sqrt(sum / x.columns + eps)",
    to: "std::sqrt(sum / x.columns)",
  },
  {
    exercise: "the-walk",
    wrong: "`self.grad = gradient`: a gradient is assigned, not added",
    passes: {
      name: "TinyTorch's guide for instructors",
      link: "https://github.com/harvard-edge/cs249r_book/blob/370f0efdbe03c0d8afe7f7c12e7640566651436e/tinytorch/INSTRUCTOR.md",
    },
    because: "it is that guide's own sample of an *Excellent Solution (9-10 points)*",
    from: "grad[0][input] += ",
    to: "grad[0][input] = ",
  },
];

const [program] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "passed_elsewhere-"));

function handed_in({ exercise, from, to }) {
  const name = readdirSync(answers).find((file) => file.slice(3) === `${exercise.replaceAll("-", "_")}.cpp`);
  const right = readFileSync(join(answers, name), "utf8");
  const wrong = right.replace(from, to);
  if (wrong === right) throw new Error(`${name} has no ${from}`);
  writeFileSync(join(folder, name), wrong);
  return join(folder, name);
}

// What the tutor says: that it is one mistake that is known.
function told(mistake) {
  const env = { ...process.env, GRADUS_MY: join(folder, "my") };
  const run = spawnSync(program, ["check", mistake.exercise, handed_in(mistake), "--json"], { encoding: "utf8", env });
  if (run.status !== 1) throw new Error(`${mistake.exercise}: it ended with ${run.status}: ${run.stdout}${run.stderr}`);
  const { diagnosis, message, question, ids, function: in_function } = JSON.parse(run.stdout);
  if (diagnosis !== "mistake" || ids.length !== 1) throw new Error(`${mistake.wrong}: ${run.stdout}`);
  return { function: in_function, says: message, asks: question, id: ids[0] };
}

try {
  const all = mistakes.map((one) => {
    const { exercise, wrong, passes, because } = one;
    return { exercise, wrong, passes, because, ...told(one) };
  });
  console.log(JSON.stringify(all, null, 1));
} finally {
  rmSync(folder, { recursive: true });
}
