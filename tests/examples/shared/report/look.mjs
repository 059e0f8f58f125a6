// Looks at pages of chapters: node look.mjs PAGE... prints what is wrong with each, and ends with 1 if anything is.
//
// The data in it fits docs/kit/report.schema.json, and the HTML that is drawn of it is valid. At 320, 390, 768 and 1280 px: nothing
// is said on the console, nothing is asked for, nothing stands out to the right; each picture has words or is hidden with words
// beside it; text in pictures has 11 px or more, stays in its picture, and no two labels of one picture crowd each other. Light and
// dark are other colours, by the system and by hand; an older browser has the light ones.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { launch } from "../../../support/chromium.mjs";

const require = createRequire(path.join(process.env.GRADUS_NODE_MODULES, "x.js"));
const { HtmlValidate } = require("html-validate");
const Ajv = require("ajv");
const fits_schema = new Ajv({ allErrors: true }).compile(
  JSON.parse(readFileSync(new URL("../../../../docs/kit/report.schema.json", import.meta.url), "utf8")),
);

const validator = new HtmlValidate({
  extends: ["html-validate:recommended"],
  // Matters of taste: how it is written, by the browser too, and widths of pictures.
  rules: { "doctype-style": "off", "attribute-boolean-style": "off", "no-inline-style": "off" },
});

async function invalid(page) {
  const report = await validator.validateString(await page.content());
  return report.results.flatMap((one) => one.messages.map((m) => `invalid: line ${m.line}: ${m.message} (${m.ruleId}) ${m.selector ?? ""}`))
    .slice(0, 10);
}

// What a chapter's page has, and what its data is.
async function not_of_a_chapter(page) {
  const data = await page.evaluate(() => document.getElementById("data")?.textContent);
  if (!data || JSON.parse(data).program) return [];
  const parts = [".one", ".ask", "figure", "[role=math]", ".see", "table", "pre"];
  const missing = await page.evaluate((all) => all.filter((part) => !document.querySelector(part)), parts);
  const bare = await page.evaluate(() => document.querySelector("main").innerText.match(/(^|\s)-?(nan|inf|undefined)\b.*/m)?.[0]);
  const unfit = fits_schema(JSON.parse(data)) ? [] : fits_schema.errors.map((e) => `data: ${e.instancePath} ${e.message}`);
  return [...missing.map((part) => `no ${part}`), ...(bare ? [`a bare ${bare}`] : []), ...unfit.slice(0, 10)];
}

// In the page: what is wrong with it as it stands.
function faults(width) {
  const found = [];
  const text_of = (ids) => ids.split(" ").map((id) => document.getElementById(id)?.textContent ?? "").join(" ");
  const name = (e) => (e.getAttribute("aria-label") ?? text_of(e.getAttribute("aria-labelledby") ?? "")).trim();
  const place = (e) => e.closest("figure")?.querySelector("figcaption b")?.textContent ?? e.closest("section, main")?.className;
  const visible = (e) => e.checkVisibility() && e.getClientRects().length > 0;

  const root = document.documentElement;
  if (root.scrollWidth > innerWidth) found.push(`${root.scrollWidth - innerWidth} px stand out to the right`);
  for (const box of document.querySelectorAll(".scroll, .F")) {
    if (width >= 768 && box.scrollWidth > box.clientWidth + 1) {
      found.push(`${box.textContent.trim().slice(0, 40)} …: ${box.scrollWidth - box.clientWidth} px are cut`);
    }
  }
  const pen = document.createElement("canvas").getContext("2d");
  for (const cell of document.querySelectorAll("td[data-k]")) {
    const label = getComputedStyle(cell, "::before");
    pen.font = label.font;
    const room = label.position === "absolute" ? parseFloat(getComputedStyle(cell).paddingLeft) : Infinity;
    if (pen.measureText(cell.dataset.k).width > room) found.push(`'${cell.dataset.k}' lies on its value`);
  }
  for (const figure of document.querySelectorAll("figure")) {
    if (!text_of(figure.getAttribute("aria-labelledby") ?? "").trim()) found.push("a figure without a name");
    if (!figure.previousElementSibling?.matches(".see")) found.push(`${place(figure)} no sentence above it`);
  }
  for (const svg of [...document.querySelectorAll("svg")].filter((e) => !e.parentElement.closest("svg") && visible(e))) {
    if (svg.getAttribute("aria-hidden") === "true") {
      const panel = svg.closest(".panel, .key, figure, table");
      if (!panel?.textContent.trim()) found.push(`${place(svg)} a hidden picture without words beside it`);
    } else if (svg.getAttribute("role") !== "img" || name(svg).length < 20) {
      found.push(`${place(svg)} a picture with too few words: '${name(svg)}'`);
    }
    const frame = svg.getBoundingClientRect();
    const labels = [...svg.querySelectorAll("text")].filter((e) => visible(e) && e.textContent.trim());
    const boxes = labels.map((e) => ({ text: e.textContent.trim(), box: e.getBoundingClientRect() }));
    labels.forEach((e, i) => {
      const size = parseFloat(getComputedStyle(e.querySelector("tspan") ?? e).fontSize) *
        Math.hypot(e.getScreenCTM().a, e.getScreenCTM().b);
      const raised = e.querySelector("tspan[dy], tspan + tspan") && size < 11; // an exponent
      if (width >= 375 && size < 10.95 && !raised) found.push(`${place(svg)} '${boxes[i].text}' has ${size.toFixed(1)} px`);
      const { left, right, top, bottom } = boxes[i].box;
      const out = Math.max(frame.left - left, right - frame.right, frame.top - top, bottom - frame.bottom);
      if (out > 3) found.push(`${place(svg)} '${boxes[i].text}' leaves its picture by ${out.toFixed(0)} px`);
    });
    for (let i = 0; i < boxes.length; ++i) {
      for (let j = 0; j < i; ++j) {
        const [a, b] = [boxes[i].box, boxes[j].box];
        const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        if (wide > -3 && high > 4) found.push(`${place(svg)} '${boxes[j].text}' and '${boxes[i].text}' crowd each other`);
      }
    }
  }
  return [...new Set(found)];
}

// The tape in the page can be stepped: "visit →" moves on, and nothing goes wrong.
async function steps(page, said) {
  const frame = page.frames().find((one) => one !== page.mainFrame());
  if (!frame) return [];
  const before = said.length;
  const shown = () => frame.textContent("body");
  const counted = /(\d+) \/ (\d+)/;
  const at = (await shown()).match(counted)?.[0];
  await frame.locator("button", { hasText: "visit →" }).first().evaluate((button) => button.click());
  const then = (await shown()).match(counted)?.[0];
  return [...(at === then ? [`"visit →" leaves the tape at ${at}`] : []), ...said.slice(before)];
}

const paper = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);

async function look(browser, file) {
  const at = async (width) => {
    const wrong = [];
    const page = await browser.newPage({ viewport: { width, height: 900 } });
    const said = [];
    page.on("console", (message) => said.push(`console: ${message.text()}`));
    page.on("pageerror", (error) => said.push(`error: ${error.message}`));
    page.on("request", (one) => /^(file|blob|data|about):/.test(one.url()) || said.push(`asks for ${one.url()}`));
    await page.goto(`file://${path.resolve(file)}`);
    wrong.push(...[...said, ...(await page.evaluate(faults, width))].map((text) => `${width} px: ${text}`));
    if (width === 320) wrong.push(...(await invalid(page)), ...(await not_of_a_chapter(page)));
    if (width === 390) {
      const light = await paper(page);
      await page.emulateMedia({ colorScheme: "dark" });
      const dark = await paper(page);
      if (light === dark) wrong.push("dark is light");
      await page.click("label[for=t-light]");
      if ((await paper(page)) !== light) wrong.push("Light does not make it light");
      await page.click("label[for=t-dark]");
      await page.emulateMedia({ colorScheme: "light" });
      if ((await paper(page)) !== dark) wrong.push("Dark does not make it dark");
      await page.setContent(readFileSync(file, "utf8").replaceAll("light-dark(", "unknown("));
      if ((await paper(page)) !== light) wrong.push("a browser that does not know light-dark() shows it without colours");
    }
    if (width === 1280 || width === 390) wrong.push(...(await steps(page, said)).map((text) => `${width} px: ${text}`));
    await page.close();
    return wrong;
  };
  return (await Promise.all([320, 390, 768, 1280].map(at))).flat();
}

const browser = await launch();
let bad = 0;
for (const file of process.argv.slice(2)) {
  const wrong = await look(browser, file);
  bad += wrong.length;
  for (const text of wrong) console.error(`${path.basename(file, ".html")}: ${text}`);
}
await browser.close();
console.log(`${process.argv.length - 2} pages looked at`);
process.exit(bad > 0 ? 1 : 0);
