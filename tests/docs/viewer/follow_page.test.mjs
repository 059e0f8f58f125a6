// The picture of a Transformer in a browser: the way to what is visited, chosen or found is open and in sight.
import assert from "node:assert/strict";
import { test } from "node:test";
import { in_window, on_page, settled, text, trace_of, tried_sizes } from "./browser.mjs";

for (const size of tried_sizes) {
  test(`step, ${size}: the way to the visited op is open while the walk is there, and what the reader shut stays shut`, () =>
    on_page("step", size, "", async (page) => {
      const trace = trace_of("step");
      const within = (number) => trace.modules.findLast(({ first, last }) => first <= number && number < last)?.path ?? "";
      const visit_in = (path) => 1 + trace.walk.findIndex(({ tensor }) => within(tensor).startsWith(path));
      const open_at = async (visit) => {
        await page.evaluate((v) => (location.hash = `step=${v}`), visit);
        await page.locator("#step h2", { hasText: `Visit ${visit} of` }).waitFor();
        await settled(page);
        return page.locator(".frame-head .name").allInnerTexts();
      };
      const at_first = await open_at(1);
      assert.ok((await open_at(visit_in("blocks.3"))).includes("blocks.3"));
      assert.equal(await page.locator(".box.tensor.current").count(), 1, "the op itself, not its block");
      assert.ok(await in_window(page, ".box.tensor.current"));
      await page.keyboard.press("ArrowRight");
      await settled(page);
      assert.ok(await in_window(page, ".box.tensor.current"), "another op, in sight again");
      await page.getByRole("button", { name: "Close blocks.3", exact: true }).press("Enter");
      await settled(page);
      assert.equal(await page.locator(".box.tensor.current").count(), 0);
      assert.ok(!(await open_at(visit_in("blocks.3") + 2)).includes("blocks.3"), "it was shut there");
      assert.deepEqual(await open_at(1), at_first, "nothing that the walk opened stays open");
      await page.getByLabel("follow the walk").uncheck();
      assert.deepEqual(await open_at(visit_in("blocks.2")), at_first);
      assert.equal(await page.locator(".box.fold.current").count(), 1);
    }));

  test(`step, ${size}: what was found is shown, whatever block it is in, and the way from it to the output`, () =>
    on_page("step", size, "", async (page) => {
      const { tensors } = trace_of("step");
      const { number } = tensors.find(({ name }) => name?.startsWith("blocks.4.") && !name.includes("norm"));
      await page.locator("#find input").fill(`#${number}`);
      await page.locator("#find input").press("Enter");
      await settled(page);
      assert.equal(await page.locator(".box.selected").count(), 1);
      assert.ok(await in_window(page, ".box.selected"));
      assert.ok((await page.locator(".frame-head .name").allInnerTexts()).includes("blocks.4"));
      await page.locator("#find input").fill("");
      await page.getByRole("button", { name: "path to the output" }).click();
      assert.match(await text(page, "#find [role=status]"), /^\d+ on the path from blocks\.4\./);
      assert.ok((await page.locator(".box.on-path").count()) > 1);
      await page.locator("#find input").fill("matmul");
      assert.equal(await page.locator(".box.on-path").count(), 0);
    }));

  test(`step, ${size}: all ops, the visited one in sight; a scale that can be read; folded again, as at first`, () =>
    on_page("step", size, "#step=40", async (page) => {
      const scale = () => page.evaluate(() => new DOMMatrix(getComputedStyle(document.querySelector(".field")).transform).a);
      const at_first = await scale();
      await page.getByRole("button", { name: "show all ops" }).click();
      await page.waitForFunction(() => Number(document.documentElement.dataset.boxes) > 300);
      assert.ok(await in_window(page, ".box.tensor.current"));
      await page.getByRole("button", { name: "fit" }).click();
      assert.ok((await scale()) >= 0.3);
      assert.match(await text(page, "#note"), /Too large to be read as a whole/);
      assert.ok(await in_window(page, ".box.tensor.current"));
      await page.getByRole("button", { name: "fold as at first" }).click();
      await page.waitForFunction(() => Number(document.documentElement.dataset.boxes) < 100);
      assert.equal(await scale(), at_first);
      assert.equal(await text(page, "#note"), "");
    }));
}
