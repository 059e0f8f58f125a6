// Looks at the built book: node site.mjs docs/.vitepress/dist. GRADUS_CHROMIUM is a Chromium, GRADUS_NODE_MODULES a folder
// with playwright-core. Prints the sizes and what is wrong; ends with 1 if anything is.
import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { serve } from "../../docs/.vitepress/serve.mjs";
import { launch } from "../support/chromium.mjs";
import { sample } from "../support/sample.mjs";
import { axe_faults } from "./axe.mjs";
import { faults } from "./site_faults.mjs";
import { dead_links, path_faults } from "./site_links.mjs";
import * as use from "./site_use.mjs";

const dist = path.resolve(process.argv[2]);

const MOST_HTML = 1000; // kB
const MOST_FIRST = 300; // kB, with all that the first page asks for
const MIDDLE = { width: 1024, colorScheme: "light" }; // the side bar is there, and little room beside it
const ways = sample(2, [1280, 390].flatMap((width) => ["light", "dark"].map((colorScheme) => ({ width, colorScheme }))));
const names = ["", "reference/"]
  .flatMap((folder) => readdirSync(path.join(dist, folder)).map((name) => folder + name))
  .filter((name) => name.endsWith(".html") && name !== "404.html")
  .sort();
const AT_ONCE = 4; // pages that are open; most of the time they wait
const html = (name) => readFileSync(path.join(dist, name), "utf8");

const wrong = new Set();
const server = await serve(dist);
const browser = await launch();

// Opens a page in a context of its own, lets `look` look at it, and notes what was said on the console, what failed and
// what was asked of others. Ends with the bytes and the URLs that the page asked for.
async function open(name, { width = 1280, ...options }, look = () => {}) {
  const context = await browser.newContext({ viewport: { width, height: 900 }, ...options });
  const page = await context.newPage();
  const complain = (message) => wrong.add(`${name}: ${message}`);
  const asked = [];
  const coming = [];
  page.on("console", (message) => complain(`console: ${message.text()}`));
  page.on("pageerror", (error) => complain(`error: ${error.message}`));
  page.on("requestfailed", (request) => {
    const error = request.failure()?.errorText;
    const left = error === "net::ERR_ABORTED"; // the reader has gone to another page
    if (options.javaScriptEnabled !== false && !left) complain(`failed: ${request.url()} ${error}`);
  });
  page.on("request", (request) => {
    const url = request.url();
    asked.push(url);
    if (!url.startsWith(server.origin) && !/^(data|blob):/.test(url)) complain(`asks for ${url}`);
  });
  page.on("response", (response) => {
    if (response.status() >= 400) complain(`${response.status()}: ${response.url()}`);
    coming.push(
      response
        .request()
        .sizes()
        .then(
          (s) => s.responseBodySize + s.responseHeadersSize,
          () => 0,
        ),
    );
  });
  await page.goto(`${server.origin}/${name === "index.html" ? "" : name}`, { waitUntil: "networkidle" });
  const bytes = (await Promise.all(coming)).reduce((sum, size) => sum + size, 0);
  try {
    await look(page, asked);
  } catch (error) {
    complain(error.message.split("\n").slice(0, 3).join(" "));
  }
  await context.close();
  return bytes;
}

// Ends with the bytes that the page asked for.
const look_in = (name, way, with_axe) =>
  open(name, way, async (page) => {
    await use.unfold(page);
    for (const fault of await page.evaluate(faults, way.width)) wrong.add(`${name}: ${fault}`);
    if (with_axe) { for (const fault of await axe_faults(page)) wrong.add(`${name}: ${way.width} ${way.colorScheme}: ${fault}`); }
  });

async function look_at(name) {
  const sent = [];
  const all = process.env.GRADUS_FULL;
  for (const way of all ? [...ways, MIDDLE] : ways) sent.push(await look_in(name, way, all || way === ways[0]));
  weigh(name, Math.round(sent[0] / 1000));
}

async function look_at_all() {
  const left = sample(5, names);
  const look_at_some = async () => {
    while (left.length > 0) await look_at(left.shift());
  };
  await Promise.all(Array.from({ length: AT_ONCE }, look_at_some));
}

function weigh(name, sent) {
  const size = Math.round(statSync(path.join(dist, name)).size / 1000);
  console.log(`${name.padEnd(24)} ${String(size).padStart(5)} kB, sent ${sent} kB`);
  if (size > MOST_HTML) wrong.add(`${name}: ${size} kB of HTML; the most is ${MOST_HTML}`);
  if (name === "index.html" && sent > MOST_FIRST) wrong.add(`${name}: ${sent} kB are sent; the most is ${MOST_FIRST}`);
}

// The smallest page that has all of this in its HTML.
const by_size = [...names].sort((a, b) => html(a).length - html(b).length);
const page_with = (...parts) => by_size.find((name) => parts.every((part) => html(name).includes(part)));

async function use_it() {
  const formula = page_with('class="symbols"', 'class="plot"', "<details");
  if (!formula) return wrong.add("no page has a table of symbols, a plot and an answer");
  await open(formula, {}, use.light_symbol);
  await open(formula, {}, use.tab_to_symbol);
  await open(formula, {}, use.wake_plot);
  await open(formula, { width: 390 }, use.wake_plot);
  await open(formula, { javaScriptEnabled: false }, use.read_without_script);
  await open(formula, { width: 390, javaScriptEnabled: false }, use.read_without_script);
  await open(formula, {}, use.print);
  await use_path();
  await open("index.html", {}, use.toggle_dark);
  await open("index.html", {}, async (page) => {
    for (const id of ["norm-rms", "act-relu", "ffn-relu", "schedule-cosine"]) await use.search(page, id, id);
    await use.search(page, "AdamW", "optim-adamw");
    await use.search(page, "root mean square");
    await use.search(page, "GradcheckReport");
    await use.search(page, "micrograd author reported inner gradients kept", "op-mul"); // in a fold
  });
}

async function use_path() {
  const folded = page_with('class="depth"');
  if (!folded || !names.includes("path.html")) return wrong.add("there is no path, or nothing is folded");
  const id = html(folded).match(/ id="([\w-]+)-in-depth"/)[1];
  await Promise.all([
    open(`${folded}#${id}-gradient`, { width: 390 }, (page) => use.arrive_in_fold(page, `${id}-gradient`)),
    open(folded, {}, (page) => use.fold(page, id)),
    open(folded, { javaScriptEnabled: false }, use.fold_without_script),
    open("path.html", { width: 390 }, use.go_on),
    open("path.html", {}, use.path_order),
    open(folded, {}, (page) => use.fold_again(page, id)),
    open(folded, {}, (page) => use.back_on_the_way(page, id)),
    look_in("path.html", MIDDLE),
  ]);
}

for (const fault of [...dead_links(dist, names), ...path_faults(dist)]) wrong.add(fault);
await look_at_all();
for (const way of ways) await look_in("404.html", way, true);
await use_it();
await browser.close();
server.close();
for (const line of [...wrong].sort()) console.error(line);
console.log(`${names.length} pages, ${wrong.size} faults`);
process.exit(wrong.size > 0 ? 1 : 0);
