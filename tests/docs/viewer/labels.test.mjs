// The letters of sizes: only where they cannot be wrong.
import assert from "node:assert/strict";
import test from "node:test";
import { letter_of, letters_in } from "../../../docs/viewer/labels.js";

test("a size has its letter where no other letter and no product of two has that size", () => {
  const block = { B: 2, T: 8, C: 16, F: 64, V: 100 };
  assert.deepEqual(letter_of(block, 2), ["B", 0]);
  assert.deepEqual(letter_of(block, 8), ["T", 1]);
  assert.equal(letter_of(block, 16), null, "16 is B·T, too");
  assert.deepEqual(letter_of(block, 64), ["F", 3], "T·T is no axis");
  assert.deepEqual(letter_of(block, 100), ["V", 4]);
  assert.equal(letter_of(block, 7), null);
  assert.equal(letter_of({ B: 8, T: 8 }, 8), null, "two letters of one size");
  assert.deepEqual(letter_of({ B: 1, T: 8 }, 8), ["T", 1], "a factor 1 folds nothing");
  assert.equal(letter_of(undefined, 8), null);
});

test("the letters of a shape in words, each once", () => {
  const model = { trace: { dimensions: { B: 2, T: 1000 } } };
  assert.equal(letters_in(model, [2, 1000, 1000, 3]), "B = 2, T = 1,000");
  assert.equal(letters_in(model, [3]), "");
});
