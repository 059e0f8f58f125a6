// Questions to the library: asked one after another, answered by the worker.
let worker;
const waiting = new Map();
let last = 0;

function start() {
  worker = new Worker(new URL("./worker.mjs", import.meta.url), { type: "module" });
  worker.onmessage = ({ data: { id, seen, failed } }) => {
    const { resolve, reject } = waiting.get(id);
    waiting.delete(id);
    failed ? reject(new Error(failed)) : resolve(seen);
  };
  worker.onerror = () => {
    for (const { reject } of waiting.values()) reject(new Error("the worker could not be started"));
    waiting.clear();
    worker = undefined;
  };
}

// What is seen for "softmax?c=88" by the module at this URL. Rejected where it cannot be loaded, or has failed.
export function ask(url, asked) {
  if (!worker) start();
  const id = ++last;
  const answer = new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
  worker.postMessage({ id, url, asked });
  return answer;
}
