// Uses each widget of the built book as a reader does: node widgets.mjs docs/.vitepress/dist build/release/bin/widgets [NAME…].
// Prints a table of sizes and times, and what is wrong; ends with 1 if anything is.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { serve } from "../../docs/.vitepress/serve.mjs";
import { drawing } from "../../docs/figures/kit/drawing.mjs";
import { launch } from "../support/chromium.mjs";
import { sample } from "../support/sample.mjs";
import { difference, states_of } from "./widget_states.mjs";

const [dist, program] = process.argv.slice(2, 4).map((one) => path.resolve(one));
const asked = process.argv.slice(4);
const docs = path.resolve(dist, "../..");
const theme = path.join(docs, ".vitepress/theme");

const STATES = 20;
const MOST_PACKED = { lab: 160, models: 250 }; // kB, by brotli, as web hosts pack them
const MOST_GROWTH = 1000; // questions
const LEAST_LETTERS = 11; // px
const MOST_SHIFT = 0.05; // of the window; 0.1 is what one calls good
const WAYS = [1280, 390].flatMap((width) => ["light", "dark"].map((colorScheme) => ({ width, colorScheme })));

const wrong = [];
const server = await serve(dist);
const browser = await launch();

// What the library says on this machine.
function natively(questions) {
  const { stdout } = spawnSync(program, { input: questions.join("\n") + "\n", encoding: "utf8", maxBuffer: 1 << 28 });
  return stdout.trim().split("\n").map((line) => JSON.parse(line));
}

const page_of = (name) =>
  readdirSync(docs).find((file) =>
    file.endsWith(".md") && readFileSync(path.join(docs, file), "utf8").includes(`(made/figures/widget-${name}.svg)`)
  );

async function all_widgets() {
  const files = readdirSync(path.join(docs, "figures")).filter((file) => /^widget-.*\.mjs$/.test(file));
  const drawn = await Promise.all(files.map((file) => import(path.join(docs, "figures", file))));
  return drawn.map(({ widget, title, draw }) => ({ ...widget, title, draw, page: page_of(widget.name)?.replace(/\.md$/, ".html") }));
}

// Opens the page of a widget, waits until it is live, and lets `use` use it.
async function open(widget, way, use, query = "") {
  const place = `${widget.name}, ${way.width} ${way.colorScheme}`;
  const context = await browser.newContext({ viewport: { width: way.width, height: way.height ?? 900 }, hasTouch: way.width < 500,
    ...way });
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
    await page.evaluate(watch_shifts);
    await figure.scrollIntoViewIfNeeded();
    await page.locator(`figure[data-figure="widget-${widget.name}"][data-widget="live"]`).waitFor();
    const shifted = await page.evaluate(() => window.shifted);
    if (shifted > MOST_SHIFT) complain(`the page moves by ${shifted.toFixed(3)} when the knobs come`);
    await page.getByRole("button", { name: /^More knobs/ }).click();
    await use({ page, figure, drawn, started: Date.now() - from });
  } catch (error) {
    complain(error.message.split("\n").slice(0, 3).join(" "));
  }
  await context.close();
}

// Adds up, in the page, by how much of the window what is there moves from now on.
async function watch_shifts() {
  for (const _ of [1, 2]) await new Promise(requestAnimationFrame); // the folds have opened
  window.shifted = 0;
  new PerformanceObserver((list) => list.getEntries().forEach((one) => (window.shifted += one.value))).observe({ type: "layout-shift" });
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

// Moves these knobs, one after another; returns those that change nothing where the others then stand, and cannot be moved.
async function move_all(page, figure, widget, knobs, heard) {
  const idle = [];
  for (const knob of knobs) {
    if (await page.locator(`.widget [data-knob="${knob.name}"].idle`).count()) {
      idle.push(knob);
      continue;
    }
    await move(page, knob);
    await page.waitForTimeout(120);
    await settled(page);
    heard.add(await says(figure));
    assert.notEqual(new URL(page.url()).searchParams.get(widget.name), "", `${knob.name}: the address has no state`);
  }
  return idle;
}

async function check_idle(page, { name }) {
  const box = page.locator(`.widget [data-knob="${name}"]`);
  assert.ok(await box.locator("input, select").first().isDisabled(), `${name} changes nothing, and can be moved`);
  assert.match(await box.locator("small").textContent(), /\(.+\)/, `${name} does not say why it changes nothing`);
}

async function reset(page, figure) {
  await figure.getByRole("button", { name: "Reset" }).click();
  await page.waitForTimeout(300);
  await settled(page);
}

// No letters are smaller than this on the screen, where the picture is drawn smaller too.
async function check_letters(page, figure, { width }) {
  for (const wide of width < 500 ? [360, width] : [624, 700, 768, 820, 960, width]) {
    await page.setViewportSize({ width: wide, height: 900 });
    const least = await figure.evaluate(smallest_letters);
    assert.ok(least > LEAST_LETTERS - 0.1, `letters of ${least.toFixed(1)} px in a window of ${wide}`);
  }
}

function smallest_letters(figure) {
  const svg = [...figure.querySelectorAll(":is(.wide, .narrow) > svg")].find((one) => one.checkVisibility());
  const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
  return scale * Math.min(...[...svg.querySelectorAll("text")].map((text) => Number(text.getAttribute("font-size"))));
}

// On a wide page the picture is in sight beside the last knob.
async function check_picture_in_sight(figure, { width }) {
  if (width < 500) return;
  const seen = await figure.evaluate((one) => {
    const last = [...one.querySelectorAll(".knob")].findLast((knob) => knob.checkVisibility());
    scrollTo(0, scrollY + last.getBoundingClientRect().bottom - innerHeight);
    const [picture, bars] = [one.querySelector(".wide").getBoundingClientRect(), document.querySelector(".VPNav").getBoundingClientRect()];
    return { top: picture.top - bars.bottom, bottom: innerHeight - picture.bottom };
  });
  assert.ok(seen.top > -2 && seen.bottom > 0,
    `beside the last knob the picture is ${-seen.top} px under the bar, or ${-seen.bottom} below the window`);
}

// On a phone each question, from its answers to what comes of it, and the knobs that it needs stand on one screen with the picture.
async function ask_on_a_phone(widget) {
  for (const height of [844, 664]) {
    await open(widget, { width: 390, height, colorScheme: "light" }, async ({ page, figure }) => {
      await page.getByRole("button", { name: "Fewer knobs" }).click();
      await page.setViewportSize({ width: 390, height });
      const fits = async (what) => {
        const { hidden, picture } = await figure.evaluate(in_the_panel);
        assert.ok(hidden <= 1, `${what}: ${hidden} px of the panel are hidden in a window of ${height}`);
        assert.ok(picture > 0.4 * height, `${what}: ${picture} px are left to the picture in a window of ${height}`);
      };
      for (const [i, { such_as }] of widget.prompts.entries()) {
        const needed = new URLSearchParams(such_as).keys();
        for (const name of needed)
          assert.ok(await figure.locator(`[data-knob="${name}"]`).isVisible(), `question ${i + 1} needs ${name}, which is folded`);
        await fits(`question ${i + 1}`);
        await figure.locator(".answers button").first().click();
        await fits(`question ${i + 1}, answered`);
        await page.evaluate(([name, state]) => {
          history.replaceState(history.state, "", `?${new URLSearchParams({ [name]: state })}`);
          dispatchEvent(new PopStateEvent("popstate"));
        }, [widget.name, such_as]);
        const next = figure.getByRole("button", { name: /^(Next|Done)$/ });
        await next.waitFor();
        await fits(`question ${i + 1}, told`);
        await next.click();
      }
    });
  }
}

// How much of the panel has to be scrolled for, and how much of the window is left to the picture.
function in_the_panel(figure) {
  const panel = figure.querySelector(".panel");
  scrollTo(0, scrollY + figure.querySelector(".narrow").getBoundingClientRect().top - 48);
  const { top, bottom } = panel.getBoundingClientRect();
  return { hidden: Math.max(panel.scrollHeight - panel.clientHeight, bottom - innerHeight), picture: top - 48 };
}

// A typed number beyond the end is the end, and that is said.
async function check_correction(page, figure, knobs) {
  const knob = knobs.find(({ kind, idle }) => kind === "number" && idle === undefined);
  if (!knob) return;
  const field = page.locator(`.widget [data-knob="${knob.name}"] input[type="number"]`);
  const end = knob.end ?? knob.most;
  await field.fill(String(10 * Math.abs(end) + 1));
  await field.press("Enter");
  assert.equal(Number(await field.inputValue()), end, `${knob.name} is beyond its end`);
  await figure.locator('[aria-live="polite"]').getByText(`is out of range, so it is ${end}.`).waitFor();
}

const settled = (page) => page.waitForFunction(() => document.querySelector(".widget") && !document.querySelector(".widget.slow"));

async function use({ page, figure, drawn, started }, widget, knobs, way) {
  same_picture(await figure.evaluate(picture_of), drawn, "the first live picture is not the one of the page");
  const heard = new Set([await says(figure)]);
  const left = await move_all(page, figure, widget, knobs, heard);
  assert.ok(heard.size > 1, "no knob changes what the law says");
  assert.ok(!(await figure.locator(".says.wrong").count()), `an error after the knobs were moved: ${await says(figure)}`);
  await reset(page, figure);
  for (const knob of await move_all(page, figure, widget, left, heard)) await check_idle(page, knob);
  if (left.length > 0) await reset(page, figure);
  same_picture(await figure.evaluate(picture_of), drawn, "Reset does not lead back to the first picture");
  assert.equal(new URL(page.url()).search, "", "after Reset the address has a state");
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.ok(wide <= 0, `the page is ${wide} px too wide`);
  await check_picture_in_sight(figure, way);
  await check_correction(page, figure, knobs);
  await check_letters(page, figure, way);
  return started;
}

// A prediction, what it asks for, and the answer to it.
async function follow_a_prompt(widget) {
  const { such_as, answers } = widget.prompts[0];
  await open(widget, WAYS[0], async ({ figure }) => {
    await figure.getByRole("button", { name: answers[0], exact: true }).click();
    await figure.locator(".told").getByText(/^[✓✗]/).waitFor();
    await figure.getByRole("button", { name: /^(Next|Done)$/ }).click();
  }, `?${new URLSearchParams({ [widget.name]: such_as })}`);
}

// A long training is drawn on its way, and a newer question does not wait for its end.
async function interrupt_a_training() {
  const widget = widgets.find(({ name }) => name === "language_model");
  await open(widget, WAYS[0], async ({ page, figure }) => {
    const field = figure.locator('[data-knob="steps"] input[type="number"]');
    const ask_for = async (steps) => (await field.fill(steps), await field.press("Enter"));
    await ask_for("2000");
    const heard = new Set();
    for (let i = 0; i < 10; ++i) heard.add(await says(figure)), await page.waitForTimeout(100);
    assert.ok(heard.size > 3, `a training of 2,000 steps was drawn ${heard.size} times in a second`);
    assert.match(await says(figure), /^Step \d+ of 2000:/);
    await ask_for("0");
    await figure.locator(".says").getByText(/^Step 0:/).waitFor({ timeout: 2000 });
  });
}

// The same questions to the library in the browser; how long each took; whether its memory grows.
async function in_the_page(widget, questions) {
  let result;
  await open(widget, WAYS[0], async ({ page }) => {
    const url = `${server.origin}/widgets/${widget.module}.wasm`;
    const source = (route) => {
      const { pathname } = new URL(route.request().url());
      return route.fulfill({ path: path.join(theme, pathname.slice("/theme".length)), contentType: "text/javascript" });
    };
    await page.route("**/theme/**", source);
    result = await page.evaluate(async ({ url, questions, most }) => {
      const module = await (await import("/theme/widgets/module.mjs")).Module.at(url);
      const look = (asked) => module.ask("look", asked, 0);
      const answers = questions.map((asked) => JSON.parse(look(asked)));
      const times = questions.map((asked) => [performance.now(), look(asked), performance.now()]).map(([from, , to]) => to - from);
      for (const asked of questions) look(asked);
      const before = module.memory.length;
      for (let i = 0; i < most; ++i) look(questions[i % questions.length]);
      return { answers, times: times.sort((a, b) => a - b), grown: module.memory.length - before };
    }, { url, questions, most: widget.bounds ? 20 : MOST_GROWTH });
  });
  return result;
}

async function try_widget(widget) {
  if (!widget.page) return wrong.push(`${widget.name}: no page shows it`);
  const [{ knobs, ...first }] = natively([`${widget.name}?`]);
  const started = [];
  for (const way of sample(1, WAYS)) await open(widget, way, async (it) => started.push(await use(it, widget, knobs, way)));
  check_prompts(widget, first, knobs);
  await follow_a_prompt(widget);
  await ask_on_a_phone(widget);
  const questions = states_of(knobs, widget.bounds, STATES).map((state) => `${widget.name}?${state}`);
  const here = natively(questions);
  check_idle_knobs(widget, questions, here);
  const there = await in_the_page(widget, questions);
  here.forEach((seen, i) => {
    const apart = difference(seen, there?.answers[i]);
    if (apart) wrong.push(`${questions[i]}: ${apart}`);
  });
  if (there?.grown > 0) wrong.push(`${widget.name}: memory grew by ${there.grown} bytes`);
  const median = there?.times[there.times.length >> 1], longest = there?.times.at(-1);
  console.log(
    `${widget.name.padEnd(16)} live after ${String(Math.max(...started)).padStart(5)} ms, answers in ${median?.toFixed(1)} ms, at most ${
      longest?.toFixed(1)
    }`,
  );
}

// What a knob that says that it changes nothing changes in the picture, in the states of these questions.
function check_idle_knobs({ name, draw }, questions, answers) {
  const others = { text: ({ first }) => first.slice(0, -2), choice: ({ names, first }) => names.find((one) => one !== first) };
  const moved = (knob) => others[knob.kind]?.(knob) ?? (knob.first === knob.most ? knob.least : knob.most);
  const tried = answers.flatMap(({ error, knobs }, i) =>
    error
      ? []
      : knobs.filter(({ idle }) => idle).map((knob) => ({ i, knob: knob.name,
        asked: `${questions[i]}&${knob.name}=${encodeURIComponent(moved(knob))}`.replace("?&", "?") })
      )
  );
  if (tried.length === 0) return;
  const picture = (seen) => String(draw({ drawing, width: 720, results: { [`widget-${name}`]: seen } }));
  natively(tried.map(({ asked }) => asked)).forEach((seen, k) => {
    const { i, knob, asked } = tried[k];
    if (seen.error !== undefined || picture(seen) !== picture(answers[i]))
      wrong.push(`${asked}: ${knob} says that it changes nothing, and changes the picture`);
  });
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
    if (options.javaScriptEnabled !== false) await page.locator('figure[data-widget="picture"]').waitFor();
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
if (chosen.length === 0 || asked.includes("language_model")) await interrupt_a_training();
await stay_a_picture(widgets[0]);
await browser.close();
server.close?.();
if (wrong.length > 0) console.error(wrong.join("\n"));
process.exit(wrong.length > 0 ? 1 : 0);
