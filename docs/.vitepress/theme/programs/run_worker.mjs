// Runs one program, and is used once: { module, files, walk } goes in; what is printed comes out as it is printed, and then how it
// ended, or what it shows of the walk that was asked for.
import { run } from "./system.mjs";

const MOST_KEPT = 20_000; // characters

// A piece of text goes out at once, unless there were too many before it: then with the pieces after it.
function sender(send) {
  const begun = performance.now();
  let sent = 0, kept = [], length = 0;
  const flush = () => {
    if (kept.length > 0) send(kept);
    kept = [];
    length = 0;
  };
  const say = (text, file) => {
    const last = kept.at(-1);
    last?.[1] === file ? (last[0] += text) : kept.push([text, file]);
    length += text.length;
    if (sent > 100 + (performance.now() - begun) / 20 && length < MOST_KEPT) return;
    ++sent;
    flush();
  };
  return { say, flush };
}

self.onmessage = async ({ data: { id, module, files, walk } }) => {
  const { say, flush } = sender((pieces) => self.postMessage({ id, progress: pieces }));
  try {
    const answer = await run(await WebAssembly.compile(module), new Map(files), say, walk);
    flush();
    self.postMessage({ id, answer });
  } catch (error) {
    flush();
    self.postMessage({ id, failed: String(error?.message ?? error) });
  }
};
