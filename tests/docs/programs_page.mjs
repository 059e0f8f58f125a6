// Runs programs and snippets of the path in the built book: node programs_page.mjs docs/.vitepress/dist. GRADUS_CHROMIUM is a Chromium,
// GRADUS_NODE_MODULES a folder with playwright-core. What is printed and what goes wrong stands below them; what is changed is kept.
import assert from "node:assert/strict";
import path from "node:path";
import { serve } from "../../docs/.vitepress/serve.mjs";
import { launch } from "../support/chromium.mjs";

const dist = path.resolve(process.argv[2]);
const PATIENCE = 300_000; // ms, for a machine that has other things to do

const server = await serve(dist);
const browser = await launch();
const wrong = [];
let asked = [];

async function open(page_name, options = {}) {
  const context = options.context ?? (await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options }));
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  page.on("console", (message) => wrong.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => wrong.push(`error: ${error.message}`));
  page.on("request", (request) => {
    if (!request.url().startsWith(server.origin) && !/^(data|blob):/.test(request.url())) wrong.push(`asks for ${request.url()}`);
    asked.push(request.url());
  });
  await page.goto(`${server.origin}/${page_name}`);
  return page;
}

const bench_of = (page, name) => page.locator(`.program[data-program="${name}"]`);
const button = (page, name, words) => bench_of(page, name).getByRole("button", { name: words, exact: true });

// What stands below it when it has ended: { printed, status }.
async function ended(page, name) {
  await button(page, name, "Run").waitFor({ timeout: PATIENCE });
  const bench = bench_of(page, name);
  const printed = bench.locator(".printed");
  return { printed: (await printed.isVisible()) ? await printed.innerText() : "", status: await bench.locator(".note").innerText() };
}

async function run(page, name) {
  const begun = performance.now();
  await button(page, name, "Run").click();
  await button(page, name, "Stop").waitFor({ timeout: PATIENCE });
  const seen = await ended(page, name);
  console.log(`${name}: ${((performance.now() - begun) / 1000).toFixed(1)} s (${seen.status})`);
  return seen;
}

async function write(page, name, text) {
  const bench = bench_of(page, name);
  if ((await bench.locator(".cm-content").count()) === 0) await button(page, name, "Change it").click();
  await bench.locator(".cm-content").focus();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(text);
}

async function attempt(what, f) {
  try {
    await f();
  } catch (error) {
    wrong.push(`${what}: ${error.message}`);
  }
}

const first = "ch00-1", page = await open("ch00.html");
await attempt("before the first run", async () => {
  await bench_of(page, first).waitFor();
  assert.match(await bench_of(page, first).locator(".note").innerText(), /once, \d+ MB/);
  assert.deepEqual(asked.filter((url) => /compiler|library|codemirror|bench/.test(url)), [], "asks for what it may not need");
});
await attempt("a snippet", async () => {
  assert.equal((await run(page, first)).printed, "y = 41.0, dy/da = 25.0, dy/db = 19.0\n");
  const expected = await page.locator('[data-path="op-mul"] .language-text pre').first().innerText();
  assert.equal((await run(page, "op-mul-1")).printed.trimEnd(), expected.trimEnd());
});
await attempt("a mistake stands at its line", async () => {
  await write(page, first, 'Tensor a = tensor(2);\nTensor b = a\nfmt::print("{}\\n", b);\n');
  const { printed, status } = await run(page, first);
  assert.match(printed, /program\.cpp:2:13: error: expected ';'/);
  assert.equal(status, "It does not compile");
  assert.equal(await bench_of(page, first).locator(".cm-wrong").innerText(), "Tensor b = a");
});
await attempt("an exception says op and shapes", async () => {
  await write(page, first, 'fmt::print("before\\n");\nmatmul(ones({2, 3}), ones({2, 3}));\n');
  const { printed, status } = await run(page, first);
  assert.match(printed, /^before\ngradus::ShapeError: matmul: .*\[2, 3\]/);
  assert.match(status, /^ended with 134/);
});
await attempt("a loop without an end is stopped", async () => {
  await write(page, first, 'fmt::print("it begins\\n");\nfor (volatile int i = 0;;) i = 1;\n');
  await button(page, first, "Run").click();
  await bench_of(page, first).locator(".printed").getByText("it begins").waitFor({ timeout: PATIENCE });
  await button(page, first, "Stop").click();
  assert.equal((await ended(page, first)).status, "stopped");
});
await attempt("output without an end", async () => {
  await write(page, first, 'for (;;) fmt::print("again\\n");\n');
  const { printed, status } = await run(page, first);
  assert.match(printed.slice(-200), /it printed more than 200,000 bytes/);
  assert.match(status, /^ended with 134/);
});
await attempt("what is changed is kept, and the book's comes back", async () => {
  await write(page, first, 'fmt::print("mine\\n");\n');
  await page.reload();
  assert.match(await bench_of(page, first).locator(".cm-content").innerText(), /mine/);
  const { printed } = await run(page, first);
  assert.equal(printed, "mine\n");
  await button(page, first, "Reset").click();
  assert.match(await bench_of(page, first).locator(".cm-content").innerText(), /set_requires_grad/);
});
await attempt("the second visit asks the server for nothing large", async () => {
  asked = [];
  const again = await open("ch00.html", { context: page.context() });
  await run(again, "op-add-1");
  assert.deepEqual(asked.filter((url) => /\.gz$/.test(url)), []);
  await again.close();
});
await page.close();
await attempt("programs", async () => {
  const thread = await open("thread.html");
  for (const name of ["tape", "line", "spiral", "bytes", "attention", "block", "gpt"]) await bench_of(thread, name).waitFor();
  assert.equal((await run(thread, "line")).printed, "y = 2.0000005 x + 0.9999992\n");
  await button(thread, "gpt", "Run").click();
  await bench_of(thread, "gpt").getByText(/step {4}1: 5\.56/).waitFor({ timeout: PATIENCE });
  await button(thread, "gpt", "Stop").click();
  await thread.close();
});
await attempt("on a narrow page", async () => {
  const narrow = await open("ch00.html", { viewport: { width: 390, height: 844 } });
  await bench_of(narrow, first).waitFor();
  assert.ok(await narrow.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "wider than the window");
});
await browser.close();
server.close();
for (const one of new Set(wrong)) console.error(one);
process.exit(wrong.length > 0 ? 1 : 0);
