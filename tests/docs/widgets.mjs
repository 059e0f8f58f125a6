// Uses each widget of the built book as a reader does: node widgets.mjs docs/.vitepress/dist build/release/bin/widgets [NAME…].
// Prints a table of sizes and times, and what is wrong; ends with 1 if anything is.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { serve } from "../../docs/.vitepress/serve.mjs";
import { sample } from "../support/sample.mjs";
import { difference, states_of } from "./widget_states.mjs";

const [dist, program] = process.argv.slice(2, 4).map((one) => path.resolve(one));
const asked = process.argv.slice(4);
const docs = path.resolve(dist, "../..");
const modules = process.env.GRADUS_NODE_MODULES ?? path.join(docs, "node_modules");
const { chromium } = createRequire(path.join(modules, "x.js"))("playwright-core");

const STATES = 20;
const MOST_PACKED = { lab: 160, models: 250 }; // kB, by brotli, as web hosts pack them
const MOST_GROWTH = 1000; // questions
const WAYS = [1280, 390].flatMap((width) => ["light", "dark"].map((colorScheme) => ({ width, colorScheme })));

const wrong = [];
const server = await serve(dist);
const browser = await chromium.launch({ executablePath: process.env.GRADUS_CHROMIUM, args: ["--no-sandbox"] });

// What the library says on this machine.
function natively(questions) {
  const { stdout } = spawnSync(program, { input: questions.join("\n") + "\n", encoding: "utf8", maxBuffer: 1 << 28 });
  return stdout.trim().split("\n").map((line) => JSON.parse(line));
}

const page_of = (name) =>
  readdirSync(docs).find((file) => file.endsWith(".md") && readFileSync(path.join(docs, file), "utf8").includes(`(figures/widget-${name}.svg)`));

async function all_widgets() {
  const files = readdirSync(path.join(docs, "figures")).filter((file) => /^widget-.*\.mjs$/.test(file));
  const drawn = await Promise.all(files.map((file) => import(path.join(docs, "figures", file))));
  return drawn.map(({ widget, title }) => ({ ...widget, title, page: page_of(widget.name)?.replace(/\.md$/, ".html") }));
}

// Opens the page of a widget, waits until it is live, and lets `use` use it.
async function open(widget, way, use, query = "") {
  const place = `${widget.name}, ${way.width} ${way.colorScheme}`;
  const context = await browser.newContext({ viewport: { width: way.width, height: 900 }, hasTouch: way.width < 500, ...way });
  const page = await context.newPage();
  const complain = (message) => wrong.push(`${place}: ${message}`);
  page.on("console", (message) => complain(`console: ${message.text()}`));
  page.on("pageerror", (error) => complain(`error: ${error.message}`));
  page.on("request", (request) => {
    if (!request.url().startsWith(server.origin) && !/^(data|blob):/.test(request.url())) complain(`asks for ${request.url()}`);
  });
  page.on("response", (response) => response.status() >= 400 && complain(`${response.status()}: ${response.url()}`));
  try {
    await page.goto(`${server.origin}/${widget.page}${query}`);
    await page.evaluate(() => document.querySelectorAll("details").forEach((fold) => (fold.open = true)));
    const figure = page.locator(`figure[data-figure="widget-${widget.name}"]`);
    const drawn = await figure.evaluate(picture_of);
    const from = Date.now();
    await figure.scrollIntoViewIfNeeded();
    await page.locator(`figure[data-figure="widget-${widget.name}"][data-widget="live"]`).waitFor({ timeout: 30000 });
    await use({ page, figure, drawn, started: Date.now() - from });
  } catch (error) {
    complain(error.message.split("\n").slice(0, 3).join(" "));
  }
  await context.close();
}

// What is drawn in the shown picture of a figure. (What is written at build time is spaced in another way.)
const picture_of = (figure) =>
  [...figure.querySelectorAll(".wide, .narrow")]
    .find((one) => one.checkVisibility())
    .querySelector("svg")
    .outerHTML.replace(/\s+/g, " ")
    .replaceAll("> <", "><")
    .replaceAll(';"', '"');

function same_picture(a, b, words) {
  const at = [...a].findIndex((c, i) => c !== b[i]);
  assert.ok(a === b, `${words}: "${a.slice(Math.max(at - 40, 0), at + 40)}" for "${b.slice(Math.max(at - 40, 0), at + 40)}"`);
}

const says = (figure) => figure.locator(".says").textContent();

// Moves a knob by its control, as a hand would.
async function move(page, knob) {
  const box = page.locator(`.widget [data-knob="${knob.name}"]`);
  const first = box.locator("input, select").first();
  if (knob.kind === "choice") return first.selectOption({ index: (knob.names.indexOf(knob.first) + 1) % knob.names.length });
  if (knob.kind === "switch") return first.click();
  if (knob.kind === "text") {
    await first.fill(String(knob.first).slice(0, -1)); // which may be an error
    return first.fill(String(knob.first));
  }
  if (knob.kind === "number") {
    await first.focus();
    for (let press = 0; press < 3; ++press) await page.keyboard.press(knob.first < knob.most ? "ArrowRight" : "ArrowLeft");
    const field = box.locator("input").nth(1);
    const steps = Math.max(1, Math.round((knob.most - knob.least) / knob.step / 10));
    await field.fill(String(Number(Math.min(knob.most, knob.first + steps * knob.step).toFixed(9))));
    return field.press("Enter");
  }
  if (knob.least === 0 && knob.most === 1 && knob.step === 1) {
    await box.locator("summary").click();
    return first.click();
  }
  await first.fill(String(Math.min(knob.most, Number(await first.inputValue()) + knob.step)));
}

const settled = (page) => page.waitForFunction(() => document.querySelector(".widget") && !document.querySelector(".widget.slow"));

async function use({ page, figure, drawn, started }, widget, knobs) {
  same_picture(await figure.evaluate(picture_of), drawn, "the first live picture is not the one of the page");
  const heard = new Set([await says(figure)]);
  for (const knob of knobs) {
    await move(page, knob);
    await page.waitForTimeout(120);
    await settled(page);
    heard.add(await says(figure));
    assert.notEqual(new URL(page.url()).searchParams.get(widget.name), "", `${knob.name}: the address has no state`);
  }
  assert.ok(heard.size > 1, "no knob changes what the law says");
  assert.ok(!(await figure.locator(".says.wrong").count()), `an error after the knobs were moved: ${await says(figure)}`);
  await figure.getByRole("button", { name: "Reset" }).click();
  await page.waitForTimeout(300);
  await settled(page);
  same_picture(await figure.evaluate(picture_of), drawn, "Reset does not lead back to the first picture");
  assert.equal(new URL(page.url()).search, "", "after Reset the address has a state");
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.ok(wide <= 0, `the page is ${wide} px too wide`);
  return started;
}

// A prediction, what it asks for, and the answer to it.
async function follow_a_prompt(widget) {
  const { such_as, answers } = widget.prompts[0];
  await open(widget, WAYS[0], async ({ figure }) => {
    await figure.getByRole("button", { name: answers[0], exact: true }).click();
    await figure.locator(".told").getByText(/^[✓✗]/).waitFor({ timeout: 5000 });
    await figure.getByRole("button", { name: /^(Next|Done)$/ }).click();
  }, `?${new URLSearchParams({ [widget.name]: such_as })}`);
}

// The same questions to the library in the browser; how long each took; whether its memory grows.
async function in_the_page(widget, questions) {
  let result;
  await open(widget, WAYS[0], async ({ page }) => {
    const url = `${server.origin}/widgets/${widget.module}.mjs`;
    result = await page.evaluate(async ({ url, questions, most }) => {
      const module = await (await import(url)).default();
      const look = (asked) => module.ccall("look", "string", ["string"], [asked]);
      const answers = questions.map((asked) => JSON.parse(look(asked)));
      const times = questions.map((asked) => [performance.now(), look(asked), performance.now()]).map(([from, , to]) => to - from);
      for (const asked of questions) look(asked);
      const before = module.HEAPU8.length;
      for (let i = 0; i < most; ++i) look(questions[i % questions.length]);
      return { answers, times: times.sort((a, b) => a - b), grown: module.HEAPU8.length - before };
    }, { url, questions, most: widget.bounds ? 20 : MOST_GROWTH });
  });
  return result;
}

async function try_widget(widget) {
  if (!widget.page) return wrong.push(`${widget.name}: no page shows it`);
  const [{ knobs, ...first }] = natively([`${widget.name}?`]);
  const started = [];
  for (const way of sample(1, WAYS)) await open(widget, way, async (it) => started.push(await use(it, widget, knobs)));
  check_prompts(widget, first, knobs);
  await follow_a_prompt(widget);
  const questions = states_of(knobs, widget.bounds, STATES).map((state) => `${widget.name}?${state}`);
  const here = natively(questions);
  const there = await in_the_page(widget, questions);
  here.forEach((seen, i) => {
    const apart = difference(seen, there?.answers[i]);
    if (apart) wrong.push(`${questions[i]}: ${apart}`);
  });
  if (there?.grown > 0) wrong.push(`${widget.name}: memory grew by ${there.grown} bytes`);
  const median = there?.times[there.times.length >> 1], longest = there?.times.at(-1);
  console.log(`${widget.name.padEnd(16)} live after ${String(Math.max(...started)).padStart(5)} ms, answers in ${median?.toFixed(1)} ms, at most ${longest?.toFixed(1)}`);
}

// Nothing is done before it is done, and each can be.
function check_prompts({ name, prompts }, first, knobs) {
  const state = (query) => {
    const given = new URLSearchParams(query);
    const value = ({ kind, name, first }) => {
      const text = given.get(name) ?? String([first].flat(Infinity).join(","));
      return ["number", "switch"].includes(kind) ? Number(text) : text;
    };
    return Object.fromEntries(knobs.map((knob) => [knob.name, value(knob)]));
  };
  for (const { act, done, such_as } of prompts) {
    if (done(first, state(""))) wrong.push(`${name}: "${act}" is done before it is done`);
    if (such_as === undefined) wrong.push(`${name}: "${act}" has no state that does it`);
    else if (!done(natively([`${name}?${such_as}`])[0], state(such_as))) wrong.push(`${name}: "${act}" is not done by ${such_as}`);
  }
}

// Where the library cannot be loaded, and without JavaScript, the picture stands.
async function stay_a_picture(widget) {
  for (const options of [{ javaScriptEnabled: false }, {}]) {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    await page.route("**/widgets/*", (route) => route.abort());
    await page.goto(`${server.origin}/${widget.page}`);
    const figure = page.locator(`figure[data-figure="widget-${widget.name}"]`);
    await figure.scrollIntoViewIfNeeded();
    if (options.javaScriptEnabled !== false) await page.locator('figure[data-widget="picture"]').waitFor({ timeout: 20000 });
    if (!(await figure.locator("svg").first().isVisible())) wrong.push(`${widget.name}: without the library there is no picture`);
    if (await figure.locator(".widget").count()) wrong.push(`${widget.name}: without the library there are knobs`);
    await context.close();
  }
}

function weigh(module) {
  const bytes = readFileSync(path.join(dist, "widgets", `${module}.wasm`));
  const packed = Math.round(brotliCompressSync(bytes).length / 1000), gzipped = Math.round(gzipSync(bytes, { level: 9 }).length / 1000);
  console.log(`${module.padEnd(16)} ${Math.round(bytes.length / 1000)} kB, ${gzipped} kB by gzip, ${packed} kB by brotli`);
  if (packed > MOST_PACKED[module]) wrong.push(`${module}: ${packed} kB packed; the most is ${MOST_PACKED[module]}`);
}

const widgets = await all_widgets();
for (const module of new Set(widgets.map((one) => one.module))) weigh(module);
const chosen = widgets.filter(({ name }) => asked.includes(name));
for (const widget of chosen.length > 0 ? chosen : sample(3, widgets)) await try_widget(widget);
await stay_a_picture(widgets[0]);
await browser.close();
server.close?.();
if (wrong.length > 0) console.error(wrong.join("\n"));
process.exit(wrong.length > 0 ? 1 : 0);
