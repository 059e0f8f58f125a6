// Breaks one thing after the other in a copy of the tree, each of another kind, runs the book's check there and expects it to say
// what is wrong.
//   node tests/docs/checks.mjs COPY
import { execFileSync } from "node:child_process";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sample } from "../support/sample.mjs";

const [copy] = process.argv.slice(2);
const path = (name) => join(copy, name);

// { status, said } of the check in the copy, which renders some pages and the one that was changed.
function check(changed = "") {
  try {
    const command = [path("docs/.vitepress/check.mjs"), "ch04.md", "ch04-batch.md", "ch10-adam.md", changed.replace("docs/", "")];
    return { status: 0, said: execFileSync("node", command, { encoding: "utf8", stdio: "pipe" }) };
  } catch ({ status, stdout, stderr }) {
    return { status, said: stdout + stderr };
  }
}

// Both break a file, and return what puts it right again.
function replace_text(file, from, to) {
  const before = readFileSync(path(file), "utf8");
  const after = before.replace(from, to);
  if (after === before) throw new Error(`${file} has no ${from}`);
  writeFileSync(path(file), after);
  return () => writeFileSync(path(file), before);
}

function take_away(file) {
  renameSync(path(file), path(`${file}.away`));
  return () => renameSync(path(`${file}.away`), path(file));
}

const text = (kind, file, from, to, says) => ({ kind, file, says, breaks: () => replace_text(file, from, to) });
const away = (kind, file, says) => ({ kind, file, says, breaks: () => take_away(file) });

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
  text("anchor", page, "ch04-batch.md#norm-", "ch04-batch.md#no-norm-", /has no such section/),
  text(
    "test tag",
    "tests/nn/norm/test_rms_norm.cpp",
    '"norm-rms: is not shift invariant"',
    '"norm-rms: is not invariant"',
    /there is no test "norm-rms: is not shift invariant"/,
  ),
  text("number: another", page, "[2.2·10⁻¹⁶](made/results/", "[2.3·10⁻¹⁶](made/results/", /is 2\.2·10⁻¹⁶, not 2\.3·10⁻¹⁶/),
  text(
    "number: no such path",
    "docs/made/results/ch04.json",
    '"relative_error"',
    '"relative_errors"',
    /has no numbers\.length\.relative_error/,
  ),
  away("picture", "docs/made/figures/depend-row.svg", /there is no picture made\/figures\/depend-row\.svg/),
  text("link: page", page, "](ch04-batch.md", "](ch04-bitch.md", /there is no page/),
  text(
    "link: source",
    page,
    "](../tests/nn/norm/test_rms_norm.cpp)",
    "](../tests/nn/norm/test_rms.cpp)",
    /there is no tests\/nn\/norm\/test_rms\.cpp/,
  ),
  text("alt text", page, /!\[[^\]]+\]\(made\/figures\/depend-row\.svg\)/, "![](made/figures/depend-row.svg)", /alt text/),
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
    /a picture is in made\/figures/,
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
    "(made/figures/norm-rms-scale.svg)",
    "(pictures/report.png)",
    /no page shows this picture/,
  ),
  text("derivation: the program", "docs/made/outputs/norm-rms.output", /^8 .*\n/m, "", /prints no line 8 of norm-rms/),
  text("TeX", page, "\\frac{x}{r}", "\\frac{x}{r", /bad TeX/),
  text("note: an item without a section", "docs/.vitepress/book/notes.json", /"ids": \[[^\]]+\]/, '"ids": []',
    /note 0, line .*: no section has it/),
  text("note: an item that is gone", "docs/.vitepress/book/notes.json", /\{"note": 3[^\n]*\n/, "",
    /notes\.json has 237 items, and the notes have 238/),
  text("verdict: no link", page, /\*\*\[(\w+)\]\(made\/results\/claims[^)]*\)\*\*/, "**refuted**", /ch04\.md:\d+: a verdict is a link/),
  text("verdict: a chapter's own", "docs/made/results/ch04.json", '"seen here"', '"confirmed"',
    /claim\.[\w-]+ is "confirmed": a verdict is the claims' alone/),
  text(
    "exercise: its answer",
    page,
    "<summary>Answer</summary>\n\n   $\\mu = 1$",
    "<summary>Hint</summary>\n\n   $\\mu = 1$",
    /ch04\.md:\d+: the exercise has no folded answer/,
  ),
  text("page of formulas", "docs/formulas.md", "`norm-rms`", "`norm-rm`", /formulas\.md: is not what/),
  text(
    "convention: its row",
    page,
    "| `convention-eps-value` |",
    "| the value of ε |",
    /convention-eps-value: no table/,
  ),
  text(
    "claim that no section names",
    "docs/ch01.md",
    /claim-stable-softmax/g,
    "claim-softmax",
    /claim-stable-softmax: no section names it/,
  ),
  text(
    "erratum that was not measured",
    "docs/made/results/claims.json",
    '"erratum-12"',
    '"erratum-0"',
    /erratum-12: made\/results\/claims\.json does not/,
  ),
  text(
    "page of claims",
    "docs/claims.md",
    "Verdict: **[confirmed]",
    "Verdict: **[refuted]",
    /claims\.md: is not what/,
  ),
  text("page of errata", "docs/errata.md", "**Meant:** ", "**Not meant:** ", /errata\.md: is not what/),
  text(
    "page of conventions",
    "docs/conventions.md",
    "one rounding or two",
    "no rounding",
    /conventions\.md: is not what/,
  ),
  text(
    "header without words",
    "nn/norm/rms_norm.h",
    /^\/\/.*\n/,
    "",
    /rms_norm\.h:1: the header does not begin with/,
  ),
  text(
    "README: a link",
    "README.md",
    "(docs/claims.md)",
    "(docs/claim.md)",
    /README\.md:\d+: there is no docs\/claim\.md/,
  ),
  text("README: a wide line", "README.md", "## Licence", `## Licence ${"x".repeat(80)}`, /README\.md:\d+: is 91 columns wide, not 80/),
  text(
    "stepping: a line of the source",
    "docs/stepping.md",
    "core/ops/arithmetic.cpp:9\n",
    "core/ops/arithmetic.cpp:11\n",
    /stepping\.md:\d+: core\/ops\/arithmetic\.cpp:11 is .*, not Tensor add\(/,
  ),
  text(
    "stepping: what a debugger shows",
    "nn/norm/rms_norm.cpp",
    "  return affine(x / root_mean_square, gain);",
    "  return affine(x / root_mean_square, gain) + 0;",
    /stepping\.md:\d+: line 10 is "return affine\(x \/ root_mean_square, gain\) \+ 0;"/,
  ),
  text("README: a count", "README.md", / (\d+) formulas/, " 1000 formulas", /there are \d+ formulas, not 1000/),
  text("README: a chapter's number", "README.md", "| 29 against 25", "| 28 against 25", /chapter 00's one number is/),
  text("README: a command", "README.md", "./examples/run ch04", "./examples/run ch44", /there is no example ch44/),
  text(
    "the house",
    "docs/inside.md",
    "`core/tape/`",
    "`core/tapes/`",
    /inside\.md:\d+: the house does not have core\/tape\//,
  ),
  text(
    "a recipe",
    "docs/how-to-add.md",
    "`nn/norm/norm_table.cpp`",
    "`nn/norm/table.cpp`",
    /how-to-add\.md:\d+: there is no nn\/norm\/table\.cpp/,
  ),
  text(
    "path: a circle",
    "docs/ch10-schedules.md",
    "Builds on [schedule-cosine](ch10-schedules.md#schedule-cosine): the same warm-up",
    "Builds on [schedule-polynomial](ch10-schedules.md#schedule-polynomial): the same warm-up",
    /needs itself: schedule-linear → schedule-polynomial → schedule-linear/,
  ),
  text(
    "path: needs what comes later",
    "docs/ch00.md",
    /^Needs \[.*?\]\(.*?\)/m,
    "Needs [Softmax](ch01.md#act-softmax)",
    /op-mul: needs act-softmax, which is not earlier/,
  ),
  text(
    "path: needs nothing",
    "docs/ch07.md",
    /^Needs /m,
    "It needs ",
    /attn-scaled-dot: there is no line "Needs/,
  ),
  text(
    "path: a link to what comes later",
    "docs/ch01.md",
    "### Why\n\n",
    "### Why\n\nAs [groups](ch07.md#attn-gqa). ",
    /act-softmax: links to ch07\.md#attn-gqa, which is not earlier/,
  ),
  text(
    "path: a word before it is introduced",
    "docs/ch00.md",
    "### Why\n\n",
    "### Why\n\nMany Cross-entropys. ",
    /op-mul: says "cross-entropy", which loss-cross-entropy introduces/,
  ),
  text(
    "path: a word that is not there",
    "docs/path.md",
    /(#op-mul\) \| \d+ \| \[.*?\]\(.*?\) \| )/,
    "$1phlogiston, ",
    /op-mul: its visible half does not have the new word "phlogiston"/,
  ),
  text("path: minutes", "docs/path.md", /\| (\d+) \|/, "| 1$1 |", /path\.md:\d+: is not what the source and the sections say/),
  text("path: how long a program takes", "docs/path.md", /(thread\.md#tape\) \|) \d+/, "$1",
    /tape\.cpp has no row \[tape\.cpp: run, read, change\]/),
  text("path: a part without its program", "docs/path.md", /\n.*thread\.md#line\).*/, "",
    /line\.cpp has no row \[line\.cpp: run, read, change\]/),
  text("path: an exercise too few", "docs/path.md", /\n.*exercises\.md#rule-matmul\).*/, "",
    /spiral\.cpp is followed by the exercises none; the tutor has rule-matmul/),
  text("path: an exercise before its program", "docs/path.md", /(\n.*thread\.md#gpt\).*)(\n.*#sampling\).*)/, "$2$1",
    /gpt\.cpp comes after its sections and before its exercises/),
  text("path: another exercise's command", "docs/path.md", "exercises new adamw`", "exercises new sampling`",
    /path\.md:\d+: this is neither a program nor a section of the path/),
  text(
    "path: minutes of a program",
    "docs/path.md",
    /(thread\.md#tape\) \| )(\d+)/,
    "$11$2",
    /path\.md:\d+: is not what the source and the sections say/,
  ),
  text("path: how a program is run", "docs/path.md", "run tape`", "run tap`", /tape\.cpp has no row \[tape\.cpp: run, read, change\]/),
  text(
    "path: lines of a region",
    "docs/ch00.md",
    "Tensor mul(const Tensor& a",
    "Tensor mul(Tensor a",
    /ch00\.md:\d+: is not what the source and the sections say/,
  ),
  text(
    "path: lines of a program",
    "examples/first/block.cpp",
    "m = 0.9 * m + 0.1 * p.grad();",
    "m = 0.8 * m + 0.2 * p.grad();",
    /ch10-adam\.md:\d+: examples\/first\/block\.cpp:\d+ is "m = 0\.8 .*", not "m = 0\.9 /,
  ),
  text(
    "path: a region that lines of a program stand for",
    "docs/ch10-adam.md",
    /^(### More code\n(?:(?!###).*\n)*?\[.*?\]\(\.\.\/optim\/.*?)#optim-adam\)$/m,
    "$1)",
    /the region optim-adam is not shown, neither here nor in "More code"/,
  ),
  text("path: no fold", "docs/ch06.md", "### In depth\n", "#### In depth\n", /pos-rope: there is no part "In depth"/),
  text("path: order of parts", "docs/ch02-smooth.md", /### In words(?=[^#]*### In depth)/, "### Sources",
    /"In depth" comes after "Sources"/),
  text("path: no output", "docs/ch11.md", "```\n\n```text\n", "```\n\n```txt\n", /model-lm: "Code" has no ```cpp fence/),
  text(
    "path: a need that is no section",
    "docs/ch00.md",
    "Needs [Multiply](ch00.md#op-mul), [Add](ch00.md#op-add)",
    "Needs [Multiply](ch00.md#op-mul), [Add]()",
    /op-sum: needs "", which is not earlier/,
  ),
  text(
    "path: a link in other forms",
    "docs/ch06.md",
    "### Why\n\n",
    '### Why\n\nAs [groups [of heads]](ch07.md#attn-gqa "later"). ',
    /pos-rope: links to ch07\.md#attn-gqa, which is not earlier/,
  ),
  text("path: a link elsewhere", "docs/ch07.md", "### Why\n\n", "### Why\n\nAs [here](inside.md). ",
    /attn-scaled-dot: links to inside\.md, which is nothing/),
  text("path: by what it is made", "docs/path.md", "<!-- Partly made", "<!-- Made", /path\.md:1: is not what the source/),
  text("path: code that nothing checks", "docs/ch11.md", "### Why\n\n", "### Why\n\n```cpp\nint x = 0;\n```\n\n",
    /model-lm: this code is neither/),
  text(
    "path: several of a word before it is introduced",
    "docs/ch01.md",
    "### Why\n\n",
    "### Why\n\nMany queries. ",
    /act-softmax: says "queries", which attn-scaled-dot introduces/,
  ),
  text("path: a name", "docs/path.md", "| [Softmax]", "| [The softmax]", /act-softmax is called "Softmax", not "The softmax"/),
  text("path: its sums", "docs/path.md", /4 h \d+ min to read/, "3 h 1 min to read",
    /path\.md:\d+: is not what the source and the sections say/),
  text("path: its beginning", "docs/path.md", "[Begin](ch00.md)", "[Begin](ch01.md)",
    /path\.md:\d+: there is no paragraph \[Begin\]\(ch00\.md\)/),
  text("path: no sums", "docs/path.md", /^The \d+ sections take /m, "They take ", /path\.md:1: there is no line "The 25 sections take …"/),
  text("thread: what a program prints", "docs/thread.md", "`./examples/run attention` prints", "It prints",
    /attention\.cpp has no line "`\.\/examples\/run attention` prints"/),
  text("thread: an id", "examples/first/line.cpp", /$/, "\n// [op-nothing]\n",
    /first\/line\.cpp:\d+: the line names op-nothing, which has no section/),
  text("thread: a paragraph", "docs/thread.md", "\n[examples/first/bytes.cpp](", "\nSee [examples/first/bytes.cpp](",
    /thread\.md:\d+: there is no paragraph \[examples\/first\/bytes\.cpp\]/),
  text("thread: a number", "docs/thread.md", "dy/da, newest to oldest:      25", "dy/da, at last:      25",
    /thread\.md:\d+: for figures\/thread-steps\.mjs: tape\.cpp does not print/),
  away("thread: a program", "examples/first/spiral.cpp", /path\.md:\d+: there is no examples\/first\/spiral\.cpp/),
  text("exercise: its section", "docs/ch07.md", "(exercises.md#kv-cache)", "(exercises.md#heads)",
    /ch07\.md#attn-kv-cache does not link to the exercise kv-cache/),
  text("exercise: a mistake", "docs/ch01.md", "`softmax/average-missing`", "`softmax/mean-missing`",
    /the exercise softmax knows no mistake softmax\/mean-missing/),
  text("exercise: a screen", "docs/exercises.md", "hint 1 of 4", "hint 2 of 4", /exercises\.md: is not what the sections and results say/),
  text("exercise: passed elsewhere", "docs/made/results/passed-elsewhere.json", "engine/overwrites", "engine/adds",
    /exercises\.md: is not what the sections and results say/),
  text("list of ids", "tests/formula_ids.txt", "norm-rms\n", "norm-rms\nnorm-new\n", /norm-new has no section/),
];

const whole = check();
if (whole.status !== 0) {
  console.error(`the copy is not right to begin with:\n${whole.said}`);
  process.exit(1);
}
const tried = sample(4, faults);
let missed = 0;
for (const { kind, file, says, breaks } of tried) {
  const undo = breaks();
  const { status, said } = check(file);
  undo();
  if (status !== 0 && said.split("\n").some((line) => says.test(line))) continue;
  ++missed;
  console.error(`${kind}: ended with ${status} and did not say ${says}:\n${said}`);
}
console.log(`${tried.length} faults, ${missed} missed`);
process.exit(missed === 0 ? 0 : 1);
