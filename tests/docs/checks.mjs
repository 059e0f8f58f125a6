// Breaks one thing of each kind in a copy of the tree, runs the book's check there and expects it to say what is wrong.
//   node tests/docs/checks.mjs COPY
import { execFileSync } from "node:child_process";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const copy = process.argv[2];
const path = (name) => join(copy, name);

// { status, said } of the check in the copy, which renders only the pages that are broken here.
function check(...pages) {
  const command = [path("docs/.vitepress/check.mjs"), "ch04.md", ...pages];
  try {
    return { status: 0, said: execFileSync("node", command, { encoding: "utf8", stdio: "pipe" }) };
  } catch ({ status, stdout, stderr }) {
    return { status, said: stdout + stderr };
  }
}

// Runs `then` with one text of a file replaced.
function with_text(file, from, to, then) {
  const before = readFileSync(path(file), "utf8");
  const after = before.replace(from, to);
  if (after === before) throw new Error(`${file} has no ${from}`);
  writeFileSync(path(file), after);
  try {
    return then();
  } finally {
    writeFileSync(path(file), before);
  }
}

function without_file(file, then) {
  renameSync(path(file), path(`${file}.away`));
  try {
    return then();
  } finally {
    renameSync(path(`${file}.away`), path(file));
  }
}

const text = (kind, file, from, to, says, ...pages) => ({
  kind,
  says,
  run: () => with_text(file, from, to, () => check(...pages)),
});

const page = "docs/ch04.md";
const rms = "nn/norm/rms_norm.cpp";
const faults = [
  text("region: missing", rms, "// #region norm-rms\n", "", /there is no region norm-rms/),
  text(
    "region: empty",
    rms,
    /(\/\/ #region norm-rms\n)[\s\S]*?(\/\/ #endregion norm-rms\n)/,
    "$1$2",
    /region norm-rms is empty/,
  ),
  text(
    "region: twice",
    "nn/norm/layer_norm.cpp",
    "// #region norm-layer\n",
    "// #region norm-rms\n// #endregion norm-rms\n// #region norm-layer\n",
    /region norm-rms is there twice/,
  ),
  text(
    "region: in another file",
    page,
    "(../nn/norm/rms_norm.cpp#norm-rms)",
    "(../nn/norm/layer_norm.cpp#norm-rms)",
    /the region norm-rms is in nn\/norm\/rms_norm\.cpp/,
  ),
  text("anchor", page, "ch04-batch.md#norm-", "ch04-batch.md#no-norm-", /has no such section/, "ch04-batch.md"),
  text(
    "test tag",
    "tests/nn/norm/test_rms_norm.cpp",
    '"norm-rms: is not shift invariant"',
    '"norm-rms: is not invariant"',
    /there is no test "norm-rms: is not shift invariant"/,
  ),
  text("number: another", page, "[2.2·10⁻¹⁶](results/", "[2.3·10⁻¹⁶](results/", /is 2\.2·10⁻¹⁶, not 2\.3·10⁻¹⁶/),
  text(
    "number: no such path",
    "docs/results/ch04.json",
    '"relative_error"',
    '"relative_errors"',
    /has no numbers\.length\.relative_error/,
  ),
  {
    kind: "picture",
    says: /there is no picture figures\/depend-row\.svg/,
    run: () => without_file("docs/figures/depend-row.svg", check),
  },
  text("link: page", page, "](ch04-batch.md", "](ch04-bitch.md", /there is no page/),
  text(
    "link: source",
    page,
    "](../tests/nn/norm/test_rms_norm.cpp)",
    "](../tests/nn/norm/test_rms.cpp)",
    /there is no tests\/nn\/norm\/test_rms\.cpp/,
  ),
  text("alt text", page, /!\[[^\]]+\]\(figures\/depend-row\.svg\)/, "![](figures/depend-row.svg)", /alt text/),
  text("section", page, "## norm-rms\n", "## RMSNorm\n", /norm-rms has no section/),
  text("part", page, "### Laws\n", "#### Laws\n", /there is no part "Laws"/),
  text("order of parts", page, "### Why\n", "### Sources\n", /comes after "Sources"/),
  text("derivation: a number", page, "| `[1, 0, 2, -1]` |", "| `[1, 0, 2, -2]` |", /line 3 of norm-rms is \[1, 0, 2, -1\]/),
  text("derivation: a line", page, /^\| 8 \| .*\n/m, "", /does not show line 8/),
  text("derivation: the order", page, /^(\| 7 \|.*\n)(\| 8 \|.*\n)/m, "$2$1", /comes after line/),
  text(
    "derivation: a reason",
    page,
    "| what arrives at $x_i / r$ | `[1, 0, 2, -1]` |",
    "| | `[1, 0, 2, -1]` |",
    /line 3 of norm-rms has no reason/,
  ),
  text(
    "fast path",
    page,
    "(../nn/norm/rms_norm_kernel.cpp#norm-rms.kernel)",
    "(../nn/norm/rms_norm_kernel.cpp)",
    /no page shows the region norm-rms\.kernel/,
  ),
  text("law", page, "[norm-rms: is not shift invariant](../tests/nn/norm/test_rms_norm.cpp)", "", /a law names no test/),
  text("fence", page, '```cpp fails="', '```cpp  fails="', /a fence that must fail begins with/),
  text(
    "another machine",
    page,
    "### Why\n\n",
    "### Why\n\n![a picture from elsewhere](http://example.com/x.png) ",
    /a picture is in figures/,
  ),
  text("HTML", page, "### Why\n\n", "### Why\n\n<script>1</script> ", /a page has no <script>/),
  text("a formula that does not end", page, "### Why\n\n", "### Why\n\n$\\alpha is. ", /a \$ that begins no formula/),
  text(
    "page that nothing leads to",
    "docs/.vitepress/book/chapters.mjs",
    '"glossary.md"',
    '"glossaries.md"',
    /the page is in no list/,
  ),
  text(
    "picture that no page shows",
    page,
    "(figures/norm-rms-scale.svg)",
    "(pictures/report.png)",
    /no page shows this picture/,
  ),
  text("derivation: the program", "docs/examples/norm-rms.output", /^8 .*\n/m, "", /prints no line 8 of norm-rms/),
  text("TeX", page, "\\frac{x}{r}", "\\frac{x}{r", /bad TeX/),
  text("words", page, "### Why\n\n", "### Why\n\nThis is clearly so. ", /says "clearly"/),
  text("page of formulas", "docs/formulas.md", "`norm-rms`", "`norm-rm`", /is not what the sections say/),
  text("list of ids", "tests/formula_ids.txt", "norm-rms\n", "norm-rms\nnorm-new\n", /norm-new has no section/),
];

const whole = check("ch04-batch.md");
if (whole.status !== 0) {
  console.error(`the copy is not right to begin with:\n${whole.said}`);
  process.exit(1);
}
let missed = 0;
for (const { kind, says, run } of faults) {
  const { status, said } = run();
  if (status !== 0 && says.test(said)) continue;
  ++missed;
  console.error(`${kind}: ended with ${status} and did not say ${says}:\n${said}`);
}
console.log(`${faults.length} faults, ${missed} missed`);
process.exit(missed === 0 ? 0 : 1);
