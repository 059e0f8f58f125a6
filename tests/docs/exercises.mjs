// Writes exercises in the built book: node exercises.mjs docs/.vitepress/dist. GRADUS_CHROMIUM is a Chromium, GRADUS_NODE_MODULES a
// folder with playwright-core. Every answer passes; mistakes, loops without an end and errors of the compiler have their sentences.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { serve } from "../../docs/.vitepress/serve.mjs";
import { answer_of as answer_in } from "../examples/exercises/one_file.mjs";
import { launch } from "../support/chromium.mjs";
import { sample } from "../support/sample.mjs";

const dist = path.resolve(process.argv[2]);
const root = path.join(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname), "../..");
const PATIENCE = 120_000; // ms, for a machine that has other things to do

const registry = JSON.parse(readFileSync(path.join(root, "docs/made/results/exercises.json")));
const written = registry.filter(({ stub }) => stub);
const file_of = ({ number, id }) => `${String(number).padStart(2, "0")}_${id.replaceAll("-", "_")}.cpp`;
const answer_of = (id) => answer_in(path.join(root, "examples/exercises/answers", file_of(registry.find((one) => one.id === id))));
const instead = (id, from, to) => {
  const answer = answer_of(id);
  assert.ok(answer.includes(from), `the answer of ${id} has no ${from}`);
  return answer.replace(from, to);
};

// What is written, and what the grader then says.
const faults = [
  ["rms-norm", () => instead("rms-norm", "std::sqrt(sum / x.columns + eps)", "(std::sqrt(sum / x.columns) + eps)"),
    /norm\/eps-outside-root/],
  ["rms-norm", () => instead("rms-norm", "sum = 0;", "sum = 0"), /10_rms_norm\.cpp:12:\d+: error: expected ';'/],
  ["softmax", () => instead("softmax", "sum = 0;", "sum = 0; while (x[i][0] == x[i][0]) {}"), /It did not come to an end in 2 seconds/],
  ["softmax", () => instead("softmax", "y[i][j] /= sum", "const_cast<double*>(x[i])[j] = 1"), /It changed its input x/],
  ["softmax", () => instead("softmax", "y[i][j] /= sum", "y[i][j + 1] = 1"), /It wrote outside of y/],
  ["softmax", () => instead("softmax", "y[i][j] /= sum", "y[i + 100000000][j] = 1"), /It crashed: a read or write outside of memory/],
  ["softmax", () => instead("softmax", "sum += y[i][j] =", "sum +="), /is never written, or added to before it is/],
  ["softmax", () => instead("softmax", "sum = 0;", "sum = 0; softmax(x, y);"), /It called itself until the stack was full/],
  ["softmax", () => instead("softmax", "(In x, Out y)", "(In x, Out y, int)"),
    /softmax and softmax_gradient must be there with the parameters/],
  ["softmax", () => instead("softmax", "sum = 0;", "sum = std::midpoint(0.0, 0.0);").replace("#include", "#include <numeric>\n#include"),
    /✓ softmax_gradient/],
  ["attention", () => instead("attention", "weight(k.rows)", "weight(1)"), /It crashed: an index outside of an array/],
  ["rule-mul", () => instead("rule-mul", "{g * b, g * a}", "{g * a, g * b}"), /op\/own-factors/],
  ["rule-mul", () => instead("rule-mul", "{g * b, g * a};", "{g * b, g * a}"), /01_rule_mul\.cpp:\d+:\d+: error: expected ';'/],
  ["rule-mul", () => instead("rule-mul", "return {g * b,", "for (volatile int i = 0;;) i = 1; return {g * b,"),
    /It did not come to an end in 2 seconds/],
  ["rule-mul", () => instead("rule-mul", "{g * b,", "{matmul(g, b, {.transpose_a = true}),"), /dL\/da has the shape \[\], expected \[3\]/],
  ["rule-mul", () => instead("rule-mul", "return {g * b,", "std::abort(); return {g * b,"), /It crashed/],
  ["rule-mul", () => instead("rule-mul", "return {g * b,", "return {mul_rule(g, a, b).first + g, g}; return {g * b,"),
    /It called itself until the stack was full/],
  ["rule-mul", () => registry.find(({ id }) => id === "rule-mul").stub, /is not written yet/],
  ["alibi", () => registry.find(({ id }) => id === "alibi").stub, /is not written yet/],
];

const server = await serve(dist);
const browser = await launch();
const wrong = [];

async function open(options) {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })).newPage();
  page.on("console", (message) => wrong.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => wrong.push(`error: ${error.message}`));
  page.on("request", (request) => {
    if (!request.url().startsWith(server.origin) && !/^(data|blob):/.test(request.url())) wrong.push(`asks for ${request.url()}`);
  });
  await page.goto(`${server.origin}/exercises.html`);
  return page;
}

const desk_of = (page, id) => page.locator(`.desk[data-exercise="${id}"]`);

// The compiler has come when the desk says how it checks.
async function open_desk(page, id) {
  const desk = desk_of(page, id);
  if (await desk.locator(".cm-content").count()) return desk;
  await desk.getByRole("button", { name: "Write it here" }).click();
  await desk.getByText("Ctrl-Enter checks").waitFor({ timeout: PATIENCE });
  return desk;
}

// The text is put there at once, as from the clipboard; when its check began.
async function write(page, desk, text) {
  await desk.locator(".cm-content").focus();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(text);
  await page.keyboard.press("Control+Enter");
  return performance.now();
}

async function check(page, id, text) {
  const desk = await open_desk(page, id);
  const begun = await write(page, desk, text);
  const shows = ([id, words]) => document.querySelector(`.desk[data-exercise="${id}"] .buttons button`).textContent === words;
  await page.waitForFunction(shows, [id, "Stop"]);
  await page.waitForFunction(shows, [id, "Check"], { timeout: PATIENCE });
  const ms = Math.round(performance.now() - begun), asks = await desk.locator(".verdict").innerText();
  const name = desk.getByRole("button", { name: "What is it?" });
  if (await name.isVisible()) await name.click();
  return { says: await desk.locator(".verdict").innerText(), asks, ms };
}

async function attempt(what, f) {
  try {
    await f();
  } catch (error) {
    wrong.push(`${what}: ${error.message}`);
  }
}

const page = await open({ colorScheme: "light" });
await attempt("the first desk", async () => {
  const begun = performance.now();
  await open_desk(page, "softmax");
  console.log(`the compiler came in ${Math.round(performance.now() - begun)} ms`);
});
for (const { id, stages } of sample(6, written)) {
  await attempt(id, async () => {
    const { says, ms } = await check(page, id, answer_of(id));
    console.log(`${id}: ${ms} ms`);
    for (const { function: name } of stages) assert.match(says, new RegExp(`✓ ${name}: right`), says);
  });
}
await attempt("a mistake is asked about first, and named when it is made again", async () => {
  const [id, text, name] = faults[0];
  const { asks } = await check(page, id, text());
  assert.match(asks, /\?/);
  assert.doesNotMatch(asks, name);
  assert.match((await check(page, id, text())).asks, name);
});
for (const [id, text, expected] of [...faults.slice(0, 2), ...sample(4, faults.slice(2))]) {
  await attempt(String(expected), async () => {
    const { says, ms } = await check(page, id, text());
    console.log(`${expected}: ${ms} ms`);
    assert.match(says, expected);
  });
}
await attempt("what is kept, hints, reset", async () => {
  await desk_of(page, "rms-norm").getByRole("button", { name: "Hint" }).click();
  await page.reload();
  const desk = await open_desk(page, "rms-norm");
  assert.match(await desk.locator(".cm-content").innerText(), /sum = 0$/m); // the last that was written
  assert.equal(await desk.locator(".hints li").count(), 1);
  await desk.getByRole("button", { name: "Reset" }).click();
  assert.match(await desk.locator(".cm-content").innerText(), /todo\(\);/);
});
await attempt("a template that goes on is stopped, and the next check is right", async () => {
  const endless =
    "template <int n, int k> struct Wide { static constexpr int value = Wide<n - 1, 2 * k>::value + Wide<n - 1, 2 * k + 1>::value; };\n" +
    "template <int k> struct Wide<0, k> { static constexpr int value = k; };\nint wide = Wide<18, 0>::value;\n";
  const desk = await open_desk(page, "softmax");
  await write(page, desk, endless);
  await desk.getByRole("button", { name: "Stop" }).click();
  await desk.locator(".note").getByText("stopped").waitFor({ timeout: 3000 });
  assert.match((await check(page, "softmax", answer_of("softmax"))).says, /✓ softmax: right/);
});
await attempt("another tab", async () => {
  const other = await page.context().newPage();
  await other.goto(page.url());
  const desk = await open_desk(page, "softmax");
  await write(other, await open_desk(other, "softmax"), "int other = 1;");
  await desk.locator(".note").getByText(/^Another tab/).waitFor();
  await other.close();
});
await page.close();
await attempt("on a narrow page", async () => {
  const narrow = await open({ viewport: { width: 390, height: 844 } });
  assert.equal(await narrow.getByRole("button", { name: "Write it here" }).count(), 0);
  assert.equal(await narrow.locator("p.at-home").count(), written.length);
  assert.ok(await narrow.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "wider than the window");
});
await browser.close();
server.close();
for (const one of new Set(wrong)) console.error(one);
process.exit(wrong.length > 0 ? 1 : 0);
