// Questions to the library: asked one after another, answered by one worker for all widgets.
import { Asked } from "./asked.mjs";

let library;

// What is seen for "softmax?c=88" by the module at this URL, on its way if it takes more than `milliseconds` (0: at its end).
// Rejected where it cannot be loaded, or has failed.
export function ask(url, asked, milliseconds) {
  if (!library || library.ended) library = new Asked(new Worker(new URL("./worker.mjs", import.meta.url), { type: "module" }));
  return library.ask({ url, asked, milliseconds });
}
