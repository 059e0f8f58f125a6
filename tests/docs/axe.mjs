// What axe-core finds on a page as it stands, one line for each kind of fault.
import { createRequire } from "node:module";
import path from "node:path";

const axe = createRequire(path.join(process.env.GRADUS_NODE_MODULES, "x.js")).resolve("axe-core/axe.min.js");

// The theme's switch has its name when the page is live.
export async function axe_faults(page) {
  await page.waitForFunction(() => document.querySelector(".VPSwitchAppearance")?.title !== "");
  await page.addScriptTag({ path: axe });
  const violations = await page.evaluate(async () => {
    const rules = { "label-content-name-mismatch": { enabled: true } }; // which axe calls experimental
    return (await window.axe.run(document, { resultTypes: ["violations"], rules })).violations;
  });
  return violations.map(({ id, nodes }) =>
    `axe: ${id}, ${nodes.length} times, as in ${nodes[0].target.join(" ")}: ${nodes[0].html.slice(0, 120)}`
  );
}
