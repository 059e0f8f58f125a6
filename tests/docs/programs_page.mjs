// Runs the programs and snippets of the built book: node programs_page.mjs docs/.vitepress/dist [WHAT...]. GRADUS_CHROMIUM is a
// Chromium, GRADUS_NODE_MODULES a folder with playwright-core. They print what the book prints; what goes wrong is said below them;
// what is changed is kept, each tab for itself; a walk is shown; and after the first run the network may go.
import assert from "node:assert/strict";
import path from "node:path";
import { serve } from "../../docs/.vitepress/serve.mjs";
import { launch } from "../support/chromium.mjs";
import { all_snippets, difference, first_lines, programs } from "./programs_cases.mjs";

const dist = path.resolve(process.argv[2]);
const PATIENCE = 300_000; // ms, for a machine that has other things to do

const asked_for = process.argv.slice(3); // attempts by parts of their names; all, if there are none
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
  return { printed: (await printed.isVisible()) ? await printed.innerText() : "",
    status: await bench.locator(".buttons .note").innerText() };
}

async function run(page, name) {
  const begun = performance.now();
  await button(page, name, "Run").click();
  await button(page, name, "Stop").waitFor({ timeout: PATIENCE });
  const seen = await ended(page, name);
  console.log(`${name}: ${((performance.now() - begun) / 1000).toFixed(1)} s (${seen.status})`);
  return seen;
}

// The viewer, once it is open.
async function walked(page, name) {
  await button(page, name, "Walk").click();
  await bench_of(page, name).locator("dialog[open]").waitFor({ timeout: PATIENCE });
  return bench_of(page, name).frameLocator("iframe");
}

const book = new Map([...all_snippets.map(({ bench, text }) => [bench, text]), ...programs.map(({ name, text }) => [name, text])]);

async function change(page, name, from, to) {
  assert.ok(book.get(name).includes(from), `${name} has no ${from}`);
  await write(page, name, book.get(name).replace(from, to));
}

async function write(page, name, text) {
  const bench = bench_of(page, name);
  if ((await bench.locator(".cm-content").count()) === 0) await button(page, name, "Change it").click();
  await bench.locator(".cm-content").focus();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(text);
}

async function attempt(what, f) {
  if (asked_for.length > 0 && !asked_for.some((part) => what.includes(part))) return;
  try {
    await f();
  } catch (error) {
    wrong.push(`${what}: ${error.message}`);
  }
}

const first = "ch00-1", page = await open("ch00.html"), context = page.context();
await attempt("before the first run", async () => {
  await bench_of(page, first).waitFor();
  assert.match(await bench_of(page, first).locator(".buttons .note").innerText(), /once, \d+ MB/);
  assert.deepEqual(asked.filter((url) => /compiler|library|codemirror|bench|offline/.test(url)), [], "asks for what it may not need");
});
for (const page_name of new Set(all_snippets.map((one) => one.page))) {
  const there = page_name === "ch00" ? page : await open(`${page_name}.html`, { context });
  for (const { name, bench, output } of all_snippets.filter((one) => one.page === page_name))
    await attempt(name, async () => difference(output, (await run(there, bench)).printed));
  if (there !== page) await there.close();
}
await attempt("a walk", async () => {
  assert.equal((await run(page, first)).printed, "y = 41.0, dy/da = 25.0, dy/db = 19.0\n");
  const walk = await walked(page, first);
  assert.equal(await walk.locator("#facts").innerText(), "5 ops · 7 visits");
  await page.keyboard.press("End");
  assert.match(await walk.locator("#details").innerText(), /^a\n[^]*leaf[^]*Gradient\s*25\b/);
  assert.match(await walk.locator("#program .rule-line").innerText(), /^1Tensor a = tensor\(2\)/);
  await walk.locator(".box .pick[aria-label^='s, add of a and b']").click();
  assert.match(await walk.locator("#program .rule-line").innerText(), /^2Tensor s = a \+ b/);
  await button(page, first, "Close").click();
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
  assert.match(status, /^broke off after/);
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
  assert.match(status, /^broke off after/);
});
await attempt("memory", async () => {
  await write(page, first, "Tensor x = zeros({1 << 20});\nfor (int i = 0; i < 12; ++i) x = cat({x, x}, 0);\n");
  assert.match((await run(page, first)).printed, /MemoryError: cat: no memory for \[268435456\]/);
});
await attempt("an exception that is none of the library's", async () => {
  await write(page, first, 'throw std::runtime_error("of my own");\n');
  assert.equal((await run(page, first)).printed, "std::runtime_error: of my own\n");
});
await attempt("abort", async () => {
  await write(page, first, "std::abort();\n");
  const { printed, status } = await run(page, first);
  assert.match(printed, /abort\(\)/);
  assert.match(status, /^broke off after/);
});
await attempt("a huge source", async () => { // which a browser would take minutes to paste
  const text = `int n = 0;\n${"n = n + 1;  // and so on\n".repeat(20_000)}fmt::print("{}\\n", n);\n`;
  const keep = ([key, value]) => sessionStorage.setItem(key, value);
  await page.evaluate(keep, [`gradus-program-${first}`, JSON.stringify({ text, is_own: true })]);
  await page.reload();
  assert.equal((await run(page, first)).printed, "20000\n");
  await button(page, first, "Reset").click();
});
await attempt("two at once", async () => {
  await write(page, first, 'fmt::print("one\\n");\n');
  await write(page, "op-mul-1", 'fmt::print("two\\n");\n');
  await button(page, first, "Run").click();
  await button(page, "op-mul-1", "Run").click();
  assert.equal((await ended(page, first)).printed, "one\n");
  assert.equal((await ended(page, "op-mul-1")).printed, "two\n");
  await button(page, first, "Run").click();
  await button(page, "op-mul-1", "Run").click();
  await button(page, first, "Stop").click(); // and the other one's compiler is another
  assert.equal((await ended(page, "op-mul-1")).printed, "two\n");
  assert.equal((await ended(page, first)).status, "stopped");
  await button(page, "op-mul-1", "Reset").click();
});
await attempt("what is changed is kept, also when the page is loaded anew in between, and the book's comes back", async () => {
  await write(page, first, 'fmt::print("mine\\n");\n');
  await button(page, first, "Run").click();
  await page.reload();
  assert.match(await bench_of(page, first).locator(".cm-content").innerText(), /mine/);
  assert.equal((await run(page, first)).printed, "mine\n");
  await button(page, first, "Reset").click();
  assert.match(await bench_of(page, first).locator(".cm-content").innerText(), /set_requires_grad/);
});
await attempt("changed", async () => {
  await change(page, first, "tensor(2)", "tensor(5)");
  assert.equal((await run(page, first)).printed, "y = 143.0, dy/da = 43.0, dy/db = 61.0\n");
  await button(page, first, "Reset").click();
});
await attempt("two tabs", async () => {
  const other = await open("ch00.html", { context });
  await write(page, first, "// here\n");
  await write(other, first, "// there\n");
  await page.reload();
  assert.equal(await bench_of(page, first).locator(".cm-line").first().innerText(), "// here");
  await button(page, first, "Reset").click();
  await other.close();
});
await attempt("without a network", async () => {
  asked = [];
  const again = await open("ch00.html", { context });
  await context.setOffline(true);
  await again.reload();
  await run(again, "op-add-1");
  await context.setOffline(false);
  assert.deepEqual(asked.filter((url) => /\.gz$/.test(url)), []);
  await again.close();
});
await page.close();
const thread = await open("thread.html", { context });
for (const { name, output, lines } of programs) {
  await attempt(name, async () => {
    if (!lines) return difference(output, (await run(thread, name)).printed);
    await button(thread, name, "Run").click();
    const enough = ([name, lines]) => document.querySelector(`[data-program="${name}"] .printed`)?.textContent.split("\n").length > lines;
    await thread.waitForFunction(enough, [name, lines], { timeout: PATIENCE });
    difference(output, first_lines(await bench_of(thread, name).locator(".printed").textContent(), lines));
    if (name !== "gpt") return button(thread, name, "Stop").click();
    const { printed } = await ended(thread, name);
    assert.match(printed, /step  200: 2\.\d+, on held-out text 2\.\d+\n[^]{500}/);
  });
}
const changes = [ // what the page asks its readers to change, and what it says that then comes out
  ["tape", "entry(x).gradient * entry(x).slopes[k]", "arrived * entry(x).slopes[k]", /^dy\/da, handed on at once: +25\n/],
  ["tape", "  for (Entry& each : tape) each.gradient = 0;", "", /\ndy\/da, newest to oldest: +104\n/],
  ["line", "p -= 0.1", "p -= 0.3", /^y = -5\.79\d*e\+36 x \+ -2\.71\d*e\+36\n$/],
  ["line", "p.zero_grad();", "", /^y = 3\.7\d+ x \+ 1\.8\d+\n$/],
];
for (const [name, from, to, expected] of changes) {
  await attempt(`${name}, changed`, async () => {
    await change(thread, name, from, to);
    assert.match((await run(thread, name)).printed, expected);
    await button(thread, name, "Reset").click();
  });
}
await attempt("a walk of a program", async () => {
  await run(thread, "spiral");
  const walk = await walked(thread, "spiral");
  assert.match(await walk.locator("body").innerText(), /\bw1\b[^]*\bloss\b/);
});
await thread.close();
await attempt("on a narrow page", async () => {
  const narrow = await open("ch00.html", { viewport: { width: 390, height: 844 } });
  await bench_of(narrow, first).waitFor();
  assert.ok(await narrow.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "wider than the window");
});
await browser.close();
server.close();
for (const one of new Set(wrong)) console.error(one);
process.exit(wrong.length > 0 ? 1 : 0);
