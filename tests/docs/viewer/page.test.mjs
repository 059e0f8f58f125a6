// The viewer in a browser: each walk opened on a phone and on a desk, and used as a reader would. What it says is held
// against numbers worked out by hand, or against the trace; nothing may be asked of the network, said on the console, or
// stand out over the page.
import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { test } from "node:test";
import { back, boxes, drawn, face, more, next, on_page, page_path, step, text, trace_of, tried_sizes } from "./browser.mjs";

for (const size of tried_sizes) {
  test(`expression, ${size}: each visit, and each contribution of one`, () =>
    on_page("expression", size, "", async (page) => {
      assert.equal(await boxes(page), 7);
      assert.match(await text(page, "#step"), /The seed/);
      assert.match(await face(page, "y"), /value 41 so far 1$/);
      await step(page, next);
      assert.match(await text(page, "#step .sentence"), /add y hands 1 to mul #\d+/);
      const last = (await text(page, "#step .delivery:last-child h3")).replace(/\s+/g, " ");
      assert.match(last, /^to #\d+ add’s b dL\/db = dL\/dy$/);
      await page.locator("#details .switch button", { hasText: "how the gradient came" }).click();
      await page.keyboard.press("ArrowRight");
      await page.keyboard.press("ArrowRight");
      assert.match(await face(page, "s"), /2 of 2 scalar f64 value 5 so far 7$/); // 1 + p
      await page.keyboard.press("ArrowLeft");
      assert.match(await face(page, "s"), /1 of 2 scalar f64 value 5 so far 1$/);
      await page.keyboard.press("End");
      assert.match(await face(page, "a"), /gradient 25$/);
      assert.match(await face(page, "b"), /value 3 gradient 19$/);
      assert.match(await text(page, "#pending"), /The map is empty/);
      await page.keyboard.press("Home");
      assert.match(await text(page, "#step"), /The seed/);
    }));

  test(`expression, ${size}: before + contribution = after, and the map in the engine's order`, () =>
    on_page("expression", size, "#step=4", async (page) => {
      assert.match(await text(page, "#step h2"), /Visit 4 of 7/); // p, whose gradient is 1 + s = 6
      assert.deepEqual(await page.locator("#pending .key").allInnerTexts(), keys_waiting(trace_of("expression"), 4));
      await step(page, more);
      assert.match(await text(page, "#step .sentence"), /add s is taken out of the map/);
      assert.equal(await page.locator(".delivery.due").count(), 2);
      await step(page, more);
      assert.equal(
        (await text(page, ".delivery.now .sum")).replace(/\s+/g, " "),
        "18 before + 7 contribution = 25 after",
      );
      assert.match(await text(page, "#live"), /hands 7 to a: 2 of 2 have come/);
      assert.equal(await page.locator(".flow").count(), 1);
      assert.equal(await page.evaluate(() => location.hash), "#step=5.1");
    }));

  test(`expression, ${size}: choosing, its arithmetic, and the address`, () =>
    on_page("expression", size, "#step=7", async (page) => {
      await page.locator(".box .pick[aria-label^='p, mul of a and b']").press("Enter");
      assert.match(await text(page, "#details h2"), /^p\s*mul/);
      assert.match(await text(page, "#details .formulas"), /^mul: y = a ⊙ b\s+dL\/da = dL\/dy ⊙ b/);
      assert.match(await text(page, "#details .formulas .soft"), /^mul’s y is p, a is a, b is b$/);
      assert.match(await text(page, "#details .code summary"), /core\/ops\/arithmetic\.cpp:\d+/);
      await page.locator("#details .code summary").click();
      assert.match(await text(page, "#details .rule-line"), /step\.grad \* step\.input\(1\)/);
      const address = await page.evaluate(() => location.hash);
      assert.match(address, /step=7&at=\d+/);
      await page.reload();
      await drawn(page);
      assert.match(await text(page, "#details h2"), /^p\s*mul/);
      await page.goBack();
      await page.waitForFunction(() => !location.hash.includes("at="));
      assert.match(await text(page, "#step h2"), /Visit 7 of 7/);
    }));

  test(`expression, ${size}: the wrong order beside it`, () =>
    on_page("expression", size, "", async (page) => {
      await page.locator("#facts button", { hasText: "29 by recursion: why?" }).click();
      await page.locator("#naive table").first().waitFor();
      assert.match(await page.locator("#naive caption").first().innerText(), /arrival 1 of 15$/);
      assert.match(await text(page, "#naive"), /29 by recursion against 25/);
      await page.locator("#table summary").click();
      await page.locator("#table table").waitFor();
      assert.equal(await page.locator("#table tbody tr").count(), 7);
    }));

  test(`matrices, ${size}: a broadcast is summed back, a cell tells its arithmetic`, () =>
    on_page("matrices", size, "#step=5", async (page) => {
      const { shape } = trace_of("matrices").tensors.find((tensor) => tensor.name === "b");
      assert.deepEqual(shape, [5]);
      const collapse = (await text(page, ".delivery .collapse")).replace(/\s+/g, " ");
      assert.match(collapse, /^\[4, 5\] → \[H 5\] summed over axis 0/);
      await page
        .locator("#details .number-map")
        .first()
        .getByRole("button", { name: /^element \[2, 3\]/ })
        .click();
      assert.match(await page.evaluate(() => location.hash), /cell=2,3/);
      assert.match(await text(page, "#details .how"), /✓ as traced/);
      assert.equal(await page.locator("#details td.chosen").count(), 1);
    }));

  test(`block, ${size}: modules are frames, a closed one is where the walk is`, () =>
    on_page("block", size, "", async (page) => {
      assert.ok((await boxes(page)) <= 40);
      const walk = trace_of("block").walk.length;
      await page.keyboard.press("End");
      assert.match(await text(page, "#step h2"), new RegExp(`Visit ${walk} of ${walk}`));
      assert.ok((await page.locator(".box.current").count()) === 1, "the last visited, or the module that it is in");
    }));

  test(`step, ${size}: six blocks are one box, each can be opened`, () =>
    on_page("step", size, "", async (page) => {
      assert.ok(statSync(page_path("step")).size < 5e6);
      await page.getByRole("button", { name: "fit" }).click();
      const folded = page.locator(".box.fold");
      assert.match(
        (await folded.innerText()).replace(/\s+/g, " "),
        /blocks\.0 … 5 ×6 Block · \d+ ops each 0 of \d+ visited/,
      );
      assert.match(await folded.innerText(), /blocks\.0\n?$|blocks\.0\s*›/);
      await page.getByRole("button", { name: "The one after blocks.0" }).click();
      const at_first = await boxes(page);
      await page.getByRole("button", { name: "Open blocks.1" }).click();
      await page.waitForFunction((n) => Number(document.documentElement.dataset.boxes) > n, at_first);
      assert.match(await page.evaluate(() => location.hash), /open=.*pick=m\d+:1/);
      assert.equal(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), "Close blocks.1");
      await page.getByRole("button", { name: "fit" }).click();
      assert.deepEqual(await page.locator(".box.group .times").allInnerTexts(), ["×4"]); // blocks.2 … 5; blocks.0 is alone
      await page.getByRole("button", { name: "Close blocks.1" }).click();
      await page.waitForFunction((n) => Number(document.documentElement.dataset.boxes) === n, at_first);
      await page.getByRole("button", { name: "show all ops" }).click();
      await page.waitForFunction(() => Number(document.documentElement.dataset.boxes) > 300);
      assert.ok((await page.locator(".box").count()) <= 300);
    }));

  test(`chain, ${size}: opens folded, can be opened further`, () =>
    on_page("chain", size, "", async (page) => {
      assert.equal(await boxes(page), 12); // 10 stretches, x and w
      assert.match(
        (await page.locator(".box.group").first().innerText()).replace(/\s+/g, " "),
        /10,000 ops mul ×5,000, tanh ×5,000/,
      );
      for (const count of [22, 32, 42, 52]) {
        // ten of 1,000, ten of 100, ten of 10, ten ops
        await page.getByRole("button", { name: "fit" }).click();
        await page.locator(".box.group .pick").first().press("Enter");
        await page.waitForFunction((n) => Number(document.documentElement.dataset.boxes) === n, count);
      }
      await page.keyboard.press("End");
      assert.match(await text(page, "#step h2"), /Visit 100,002 of 100,002/);
    }));
}

// The numbers in the map after `visits` visits, newest first, worked out from the visits alone.
function keys_waiting(trace, visits) {
  const reached = [...trace.seeds, ...trace.walk.slice(0, visits).flatMap((visit) => visit.deliveries ?? [])].map(
    ({ to }) => to,
  );
  const taken = new Set(trace.walk.slice(0, visits).map(({ tensor }) => tensor));
  return [...new Set(reached)]
    .filter((number) => !taken.has(number))
    .sort((a, b) => b - a)
    .map((number) => `#${number}`);
}

test("chain: a long layout can be cancelled, and the page goes on", () =>
  on_page("chain", "desk", "", async (page) => {
    await page.getByRole("button", { name: "show all ops" }).click();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.waitForFunction(() => document.getElementById("busy").hidden);
    assert.equal(await boxes(page), 12);
    await page.keyboard.press("ArrowRight");
    assert.match(await text(page, "#step h2"), /Visit 1 of 100,002/);
  }));

test("keys: ? shows them; a gradient that has not come yet is not explained; letters are told in words", async () => {
  await on_page("expression", "desk", "", async (page) => {
    await page.keyboard.press("?");
    assert.match(await text(page, "#keys"), /one contribution back, on/);
    await page.keyboard.press("Escape");
    assert.equal(await page.locator("#keys").isVisible(), false);
    await page.locator(".box .pick[aria-label^='a, leaf']").press("Enter");
    await page.locator("#details .switch button", { hasText: "how the gradient came" }).click();
    assert.match(await text(page, "#details .how"), /No gradient has come yet/);
    await page.keyboard.press("End");
    assert.match(await text(page, "#details .how"), /18 \+ contribution 7 = after 25/);
  });
  await on_page("matrices", "desk", "", async (page) => {
    assert.match(await page.locator(".box .pick[aria-label^='b, leaf']").getAttribute("title"), /^H = 5$/);
  });
});

test("colours: light, dark, and as the system has it", () =>
  on_page(
    "expression",
    "desk",
    "",
    async (page) => {
      const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      assert.equal(await paper(), "rgb(20, 23, 28)");
      await page.locator("label[for=t-light]").click();
      assert.equal(await paper(), "rgb(255, 255, 255)");
    },
    { colorScheme: "dark" },
  ));

test("motion: a contribution moves for a fifth of a second, or not at all", async () => {
  for (const [reducedMotion, length] of [
    ["no-preference", "0.2s"],
    ["reduce", "0s"],
  ]) {
    await on_page(
      "expression",
      "desk",
      "",
      async (page) => {
        await page.keyboard.press("ArrowRight");
        assert.equal(
          await page.evaluate(() => getComputedStyle(document.querySelector(".flow.moving")).animationDuration),
          length,
        );
      },
      { reducedMotion },
    );
  }
});
