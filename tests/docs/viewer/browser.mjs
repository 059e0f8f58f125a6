// The viewer in a browser: a page opened, used, and held against what must hold of every page.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { after, before } from "node:test";
import { launch } from "../../support/chromium.mjs";
import { sample } from "../../support/sample.mjs";

const folder = process.env.GRADUS_TRACES;
const sizes = { phone: { width: 390, height: 844 }, desk: { width: 1280, height: 800 } };
export const tried_sizes = sample(1, Object.keys(sizes));
let browser;

before(async () => (browser = await launch()));
after(() => browser?.close());

export const page_path = (name) => path.join(folder, `${name}.html`);
export const trace_of = (name) => JSON.parse(readFileSync(path.join(folder, `${name}.json`), "utf8"));

// Opens a page, lets `use` use it, and then looks at what must hold of every page.
export async function on_page(name, size, hash, use, options = {}) {
  const page = await browser.newPage({ viewport: sizes[size], ...options });
  const said = [];
  page.on("console", (message) => said.push(message.text()));
  page.on("pageerror", (error) => said.push(error.stack));
  page.on("request", (request) => /^(file|blob|data):/.test(request.url()) || said.push(request.url()));
  await page.goto(`file://${page_path(name)}${hash}`);
  await drawn(page);
  await use(page);
  assert.deepEqual(said, [], "no message and no request");
  assert.ok(
    await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
    "nothing stands out over the page",
  );
  assert.deepEqual(await page.evaluate(nameless), [], "each control has a name");
  assert.deepEqual(await page.evaluate(too_small, 31.5), [], "each button can be hit");
  await page.close();
}

export const drawn = (page) => page.waitForFunction(() => document.documentElement.dataset.boxes && document.getElementById("busy").hidden);
// Until the layout under way, if there is one, is drawn.
export const settled = (page) => page.waitForFunction(() => !document.documentElement.dataset.laying);
export const in_window = (page, selector) =>
  page.evaluate((of) => {
    const [box, graph] = [of, "#graph"].map((each) => document.querySelector(each)?.getBoundingClientRect());
    return box && box.top >= graph.top && box.bottom <= graph.bottom && box.left >= graph.left && box.right <= graph.right;
  }, selector);
export const text = (page, selector) => page.locator(selector).innerText();
export const boxes = (page) => page.evaluate(() => Number(document.documentElement.dataset.boxes));
export const face = async (page, name) =>
  (await page.locator(".box.tensor", { has: page.locator(`.top :text-is("${name}")`) }).innerText()).replace(
    /\s+/g,
    " ",
  );
export const step = (page, way) => page.getByRole("button", { name: way, exact: true }).click();
export const next = "One visit on (→)";
export const back = "One visit back (←)";
export const more = "One contribution on (Shift →)";

function nameless() {
  const controls = [...document.querySelectorAll("button, input, select, summary, [tabindex='0']")];
  const named = (e) => e.getAttribute("aria-label") || e.textContent.trim() || e.labels?.length;
  return controls.filter((e) => e.checkVisibility() && !named(e)).map((e) => e.outerHTML.slice(0, 120));
}

function too_small(least) {
  const buttons = [...document.querySelectorAll("button:not(.link, .n), select")].filter((e) => e.checkVisibility());
  return buttons
    .filter((e) => e.offsetHeight < least && e.offsetHeight > 0)
    .map((e) => `${e.offsetHeight}: ${e.outerHTML.slice(0, 120)}`);
}
