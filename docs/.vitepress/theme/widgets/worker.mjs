// The library, as WebAssembly, in a thread that does not hold up the page. A module is loaded with the first question to it.
import { Module } from "./module.mjs";

const modules = new Map();

function module_at(url) {
  if (!modules.has(url)) modules.set(url, Module.at(url));
  return modules.get(url);
}

self.onmessage = async ({ data: { id, url, asked, milliseconds } }) => {
  try {
    const module = await module_at(url);
    self.postMessage({ id, answer: JSON.parse(module.ask("look", asked, milliseconds)) });
  } catch (error) {
    modules.delete(url); // after a trap nothing in it can be relied on
    self.postMessage({ id, failed: String(error) });
  }
};
