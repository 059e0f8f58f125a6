// The book as a reader uses it: each function gets an open page and throws what does not work.
import assert from "node:assert/strict";

const background = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
const lit = (page) => page.locator(".lit").count();

// Types words into the search and opens the first result: its anchor is there, and it is the wanted one.
export async function search(page, words, wanted) {
  await page.evaluate(() => sessionStorage.clear()); // else it opens with the results of the search before
  await page.locator("#local-search button, .VPNavBarSearch button").first().click();
  await page.locator(".search-input").fill(words);
  const first = page.locator(".result").first();
  await first.waitFor({ timeout: 15000 }).catch(() => assert.fail(`searching for "${words}" finds nothing`));
  const { hash } = new URL(await first.getAttribute("href"), page.url());
  await first.click();
  const patience = { timeout: 15000 };
  await page.waitForFunction(
    (hash) => location.hash === hash && !document.querySelector(".search-input"), hash, patience);
  await page
    .waitForFunction(() => document.getElementById(decodeURIComponent(location.hash.slice(1))), null, patience)
    .catch(() => assert.fail(`searching for "${words}" leads to ${page.url()}, which is not there`));
  const section = () => document.getElementById(decodeURIComponent(location.hash.slice(1))).closest("section")?.dataset.id;
  if (wanted) assert.equal(await page.evaluate(section), wanted, `searching for "${words}" leads to another first`);
}

export async function toggle_dark(page) {
  const before = await background(page);
  await page.locator(".VPNavBarAppearance button").first().click();
  await page.waitForFunction((was) => getComputedStyle(document.body).backgroundColor !== was, before, { timeout: 5000 });
  const dark = await page.evaluate(() => document.documentElement.classList.contains("dark"));
  assert.equal(await background(page), dark ? "rgb(20, 23, 28)" : "rgb(255, 255, 255)");
}

// Pointing at a symbol lights it in its formula, its table and wherever else it stands; nothing is left afterwards.
export async function light_symbol(page) {
  const row = page.locator("table.symbols tbody tr[data-term]").first();
  await row.scrollIntoViewIfNeeded();
  await row.hover();
  assert.ok((await lit(page)) > 1, "pointing at a symbol lights nothing else");
  await page.mouse.move(2, 2);
  assert.equal(await lit(page), 0, "a symbol stays lit");
}

export async function tab_to_symbol(page) {
  await page.locator("h3[id$=-symbols-and-shapes] a.header-anchor").first().focus();
  for (let press = 0; press < 4; ++press) {
    await page.keyboard.press("Tab");
    if (await page.evaluate(() => document.activeElement.matches("table.symbols tr"))) {
      return assert.ok((await lit(page)) > 1, "a symbol that has the focus lights nothing");
    }
  }
  assert.fail("Tab does not come to the rows of the symbols");
}

// A plot that is pointed at answers, in its old place; what that needs is loaded then and not before. `asked` are the URLs
// that the page has asked for.
export async function wake_plot(page, asked) {
  const plot = page.locator("figure svg.plot:visible").first();
  const before = await plot.boundingBox();
  await plot.scrollIntoViewIfNeeded();
  assert.ok(!asked.some((url) => /redraw/.test(url)), "Plot is loaded before a plot is pointed at");
  await plot.hover();
  const live = page.locator("figure svg.plot[data-live=yes]").first();
  await live.waitFor({ timeout: 20000 }).catch(() => assert.fail("a plot that is pointed at does not answer"));
  const after = await live.boundingBox();
  for (const side of ["x", "width", "height"]) {
    assert.ok(Math.abs(before[side] - after[side]) < 0.6, `a plot jumps: ${side} ${before[side]} → ${after[side]}`);
  }
  for (const share of [0.3, 0.4, 0.5, 0.6, 0.7]) {
    await page.mouse.move(after.x + share * after.width, after.y + 0.5 * after.height, { steps: 4 });
    if (await live.locator("[aria-label=tip] text").count()) return;
  }
  assert.fail("a plot that is pointed at says nothing");
}

// Without JavaScript.
export async function read_without_script(page) {
  assert.ok(await page.locator(".vp-doc h1").isVisible(), "without JavaScript there is no text");
  const figure = page.locator("figure svg:visible").first();
  const { width, height } = await figure.boundingBox();
  assert.ok(width > 200 && height > 50, "without JavaScript there are no pictures");
  const answer = page.locator(".vp-doc details").first();
  await answer.locator("summary").click();
  assert.ok(await answer.locator("> :not(summary)").first().isVisible(), "without JavaScript an answer does not open");
}

// On paper: light, answers open, nothing of the screen's.
export async function print(page) {
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  const unfold = () => dispatchEvent(new Event("beforeprint")) && !document.querySelector("details:not([open])");
  await page.waitForFunction(unfold).catch(() => {});  // the page may not listen yet
  assert.equal(await page.locator(".VPSidebar:visible, .VPNav:visible, .VPDocAside:visible").count(), 0, "bars are printed");
  assert.equal(await page.locator("details:not([open])").count(), 0, "answers are printed folded");
  const ink = await page.evaluate(() => getComputedStyle(document.querySelector(".vp-doc p")).color);
  assert.equal(ink, "rgb(27, 31, 36)", "the print is not dark on light");
}
