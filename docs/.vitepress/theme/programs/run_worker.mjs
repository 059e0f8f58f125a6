// Runs one program, and is used once: { module, files } goes in; what is printed comes out as it is printed, and then how it ended.
import { run } from "./system.mjs";

// A piece of text goes out at once, unless there were too many before it: then with the pieces after it.
function sender(send) {
  const begun = performance.now();
  let sent = 0, kept = [];
  const flush = () => {
    if (kept.length > 0) send(kept);
    kept = [];
  };
  const say = (text, file) => {
    kept.push([text, file]);
    if (sent > 100 + (performance.now() - begun) / 20 && kept.length < 1000) return;
    ++sent;
    flush();
  };
  return { say, flush };
}

self.onmessage = async ({ data: { id, module, files } }) => {
  const { say, flush } = sender((pieces) => self.postMessage({ id, progress: pieces }));
  try {
    const { code, why } = await run(await WebAssembly.compile(module), new Map(files), say);
    flush();
    self.postMessage({ id, answer: { code, why } });
  } catch (error) {
    flush();
    self.postMessage({ id, failed: String(error?.message ?? error) });
  }
};
