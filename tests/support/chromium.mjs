// The browser that GRADUS_CHROMIUM names, driven by the playwright-core that is in GRADUS_NODE_MODULES.
import { createRequire } from "node:module";
import path from "node:path";

// Without a process for the graphics card, a page takes an eighth less time. A Chromium without a window does not catch the signal
// by which WebAssembly sees that an address is outside of its memory, so it compares each address.
export function launch() {
  const { chromium } = createRequire(path.join(process.env.GRADUS_NODE_MODULES, "x.js"))("playwright-core");
  return chromium.launch({ executablePath: process.env.GRADUS_CHROMIUM,
    args: ["--no-sandbox", "--disable-gpu", "--disable-features=WebAssemblyTrapHandler"] });
}
