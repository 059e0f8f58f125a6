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
  await first.waitFor().catch(() => assert.fail(`searching for "${words}" finds nothing`));
  const { hash } = new URL(await first.getAttribute("href"), page.url());
  await first.click();
  await page.waitForFunction((hash) => location.hash === hash && !document.querySelector(".search-input"), hash);
  await page
    .waitForFunction(() => document.getElementById(decodeURIComponent(location.hash.slice(1))))
    .catch(() => assert.fail(`searching for "${words}" leads to ${page.url()}, which is not there`));
  const section = () => document.getElementById(decodeURIComponent(location.hash.slice(1))).closest("section")?.dataset.id;
  const seen = () => document.getElementById(decodeURIComponent(location.hash.slice(1))).checkVisibility();
  await page.waitForFunction(seen).catch(() => assert.fail(`what "${words}" leads to is folded`));
  if (wanted) assert.equal(await page.evaluate(section), wanted, `searching for "${words}" leads to another first`);
}

export async function toggle_dark(page) {
  const before = await background(page);
  await page.locator(".VPNavBarAppearance button").first().click();
  await page.waitForFunction((was) => getComputedStyle(document.body).backgroundColor !== was, before);
  const dark = await page.evaluate(() => document.documentElement.classList.contains("dark"));
  assert.equal(await background(page), dark ? "rgb(20, 23, 28)" : "rgb(255, 255, 255)");
}

// Opens what is folded on a page, and waits until it is laid out.
export const unfold = (page) =>
  page.evaluate(async () => {
    for (const fold of document.querySelectorAll("details.depth")) fold.open = true;
    for (const _ of [1, 2]) await new Promise(requestAnimationFrame);
  });

// Pointing at a symbol lights it in its formula, its table and wherever else it stands; nothing is left afterwards.
export async function light_symbol(page) {
  await unfold(page);
  const row = page.locator("table.symbols tbody tr[data-term]").first();
  await row.scrollIntoViewIfNeeded();
  await row.hover();
  assert.ok((await lit(page)) > 1, "pointing at a symbol lights nothing else");
  await page.mouse.move(2, 2);
  assert.equal(await lit(page), 0, "a symbol stays lit");
}

export async function tab_to_symbol(page) {
  await unfold(page);
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
  await unfold(page);
  const plot = page.locator("figure svg.plot:visible").first();
  const before = await plot.boundingBox();
  await plot.scrollIntoViewIfNeeded();
  assert.ok(!asked.some((url) => /redraw/.test(url)), "Plot is loaded before a plot is pointed at");
  await plot.hover();
  const live = page.locator("figure svg.plot[data-live=yes]").first();
  await live.waitFor().catch(() => assert.fail("a plot that is pointed at does not answer"));
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

// Is the element of this id in sight?
const is_in_view = (id) => {
  const element = document.getElementById(id);
  const { top, bottom } = element.getBoundingClientRect();
  return element.checkVisibility() && top >= 0 && bottom <= innerHeight;
};

const comes_into_view = (page, id, how) => page.waitForFunction(is_in_view, id).catch(() => assert.fail(`${how} #${id} does not show it`));

export const arrive_in_fold = (page, id) => comes_into_view(page, id, "an address with");

// A fold is closed, opens by a click, and by a link to a place in it, again after it has been closed by hand.
export async function fold(page, id) {
  const depth = page.locator(`details#${id}-in-depth`);
  const gradient = page.locator(`#${id}-gradient`);
  assert.ok(!(await gradient.isVisible()), "what is in depth is not folded");
  await depth.locator("> summary").click();
  assert.ok(await gradient.isVisible(), "a fold does not open");
  await page.evaluate((id) => {
    const link = Object.assign(document.createElement("a"), { href: `#${id}-gradient`, textContent: "gradient", id: "to-gradient" });
    document.querySelector(".vp-doc h1").append(link);
  }, id);
  for (const time of ["once", "twice"]) {
    await depth.evaluate((one) => (one.open = false));
    await page.locator("#to-gradient").click();
    await comes_into_view(page, `${id}-gradient`, `a link (${time}) to`);
  }
}

// Opens a fold, and reads what is in it. Ends with what waits until the reader is there again.
async function read_fold(page, id) {
  const place = `${id}-gradient`;
  await page.locator(`details#${id}-in-depth > summary`).click();
  const top = await page.locator(`#${place}`).evaluate((one) => {
    one.scrollIntoView();
    return one.getBoundingClientRect().top;
  });
  const is_there = ([id, top]) => {
    const one = document.getElementById(id);
    return one?.checkVisibility() && Math.abs(one.getBoundingClientRect().top - top) < 50;
  };
  return (how) => page.waitForFunction(is_there, [place, top]).catch(() => assert.fail(`${how} closes a fold, or scrolls`));
}

async function go_to(page, name) {
  await page.locator(`.VPNav a[href$='/${name}.html']`).first().evaluate((link) => link.click());
  await page.waitForURL(new RegExp(name));
}

// What the reader has opened is open again, and in its place, after Back from another page and after the page was loaded anew,
// whatever its address leads to.
export async function fold_again(page, id) {
  const there_again = await read_fold(page, id);
  await go_to(page, "glossary");
  await page.goBack();
  await there_again("Back");
  await page.reload({ waitUntil: "networkidle" });
  await there_again("to load a page anew");
  await page.evaluate((hash) => history.replaceState(history.state, "", hash), `#${id}-why`);
  await page.reload({ waitUntil: "networkidle" });
  await there_again("to load an address with # anew");
}

// So it is for a reader who goes elsewhere while a page is on its way, and comes back from there.
export async function back_on_the_way(page, id) {
  const there_again = await read_fold(page, id);
  await go_to(page, "glossary");
  await page.locator("h1#words-and-letters").waitFor();
  let come;
  const coming = new Promise((resolve) => (come = resolve));
  await page.route("**/*.js", (route) => coming.then(() => route.continue()));
  await page.goBack();
  await go_to(page, "path");
  await page.goBack();
  come();
  await there_again("Back from a page that had not come");
}

export async function fold_without_script(page) {
  const depth = page.locator("details.depth").first();
  await depth.locator("> summary").click();
  assert.ok(await depth.locator("h3").first().isVisible(), "without JavaScript a fold does not open");
}

// From the page of the path: the reader begins, reads two sections to their ends, the second one first, and goes on behind it; so
// says another tab, too.
export async function go_on(page) {
  const other = await page.context().newPage();
  await other.goto(page.url(), { waitUntil: "networkidle" });
  const begin = other.locator("p.begin a");
  const ticks = other.locator("table.path .tick:visible");
  assert.equal(await ticks.count(), 0, "something has been read before the path begins");
  await page.locator("p.begin a").click();
  const [first, second] = ["The tape", "Multiply"].map((name) => page.locator(`nav.steps[aria-label="On the path: after ${name}"]`));
  const reads = async (end, pattern) => {
    await end.evaluate((one) => one.scrollIntoView({ block: "center" }));
    const kept = (words) => localStorage.getItem("gradus-path")?.includes(words);
    await page.waitForFunction(kept, pattern).catch(() => assert.fail(`the end of ${pattern} counts as nothing`));
  };
  await first.locator("a[rel=next]").evaluate((link) => link.click());
  await comes_into_view(page, "op-mul", "the way on to");
  await reads(second, '"op-mul"');
  await reads(first, '"ch00"');
  const goes_on = () => /^Continue: .+, 2 of \d+$/.test(document.querySelector("p.begin a").textContent);
  await other.waitForFunction(goes_on).catch(() => assert.fail("another tab does not know where one is"));
  assert.match(await begin.getAttribute("href"), /ch00\.html#op-mul$/);
  assert.equal(await ticks.count(), 2, "what was read to its end has no tick, or what was not has one");
  await page.goto("about:blank"); // it shows the end of a section
  await other.evaluate(() => localStorage.setItem("gradus-path", "{"));
  await other.reload({ waitUntil: "networkidle" });
  assert.equal(await begin.textContent(), "Begin", "what is kept is not read with care");
}

// The side bar has the path first, in its order; the foot of a chapter's page leads along it.
export async function path_order(page) {
  const texts = (selector) => page.locator(selector).allTextContents();
  const hrefs = (selector) => page.locator(selector).evaluateAll((links) => links.map(({ pathname, hash }) => pathname + hash));
  const groups = await texts(".VPSidebarItem.level-0 > .item .text");
  assert.deepEqual(groups.slice(0, 2), ["The path", "Formulas"]);
  const path = await hrefs("table.path td:first-child a");
  const bar = await hrefs(".VPSidebar .level-2 a");
  assert.deepEqual(bar.slice(0, path.length), path, "the side bar has the path in another order");
  const at = path.findIndex((href) => href.startsWith("/ch07"));
  const last = path.findLastIndex((href) => href.startsWith("/ch07"));
  await page.goto(new URL("ch07.html", page.url()).href);
  const foot = await hrefs(".VPDocFooter .pager-link");
  assert.deepEqual(foot, [path[at - 1], path[last + 1]], "the foot of a page does not follow the path");
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
  await page.waitForFunction(unfold).catch(() => {}); // the page may not listen yet
  assert.equal(await page.locator(".VPSidebar:visible, .VPNav:visible, .VPDocAside:visible").count(), 0, "bars are printed");
  assert.equal(await page.locator("details:not([open])").count(), 0, "answers are printed folded");
  const ink = await page.evaluate(() => getComputedStyle(document.querySelector(".vp-doc p")).color);
  assert.equal(ink, "rgb(27, 31, 36)", "the print is not dark on light");
}
