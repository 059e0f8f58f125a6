// Which groups are open: the reader's, and the way to what is looked at.
import assert from "node:assert/strict";
import test from "node:test";
import { open_on_ways, still_shut, way_to } from "../../../docs/viewer/follow.js";
import { group_tree } from "../../../docs/viewer/groups.js";
import { index_trace } from "../../../docs/viewer/model.js";
import { twice_used } from "./hand_made.mjs";

// net holds #3 … #6, and within it net.inner #5.
function nested() {
  const trace = twice_used();
  trace.modules = [
    { path: "net", type: "Net", first: 3, last: 7 },
    { path: "net.inner", type: "Inner", first: 5, last: 6 },
  ];
  for (const t of trace.tensors) if (t.number >= 3 && t.number <= 6) t.module = t.number === 5 ? 1 : 0;
  return group_tree(index_trace(trace));
}

const opened_for = (tree, numbers, open = [], shut = []) =>
  [...open_on_ways(tree, { open: new Set(open), shut: new Set(shut), numbers })].sort();

test("the way to a tensor: the groups around it, outer ones first", () => {
  const tree = nested();
  assert.deepEqual(way_to(tree, 5), ["m0", "m1"]);
  assert.deepEqual(way_to(tree, 4), ["m0"]);
  assert.deepEqual(way_to(tree, 7), []);
  assert.deepEqual(way_to(tree, 99), []);
});

test("a way is open beside what the reader opened, and ends where he shut it", () => {
  const tree = nested();
  assert.deepEqual(opened_for(tree, [5]), ["m0", "m1"]);
  assert.deepEqual(opened_for(tree, [7], ["m1"]), ["m1"]);
  assert.deepEqual(opened_for(tree, [5], [], ["m1"]), ["m0"]);
  assert.deepEqual(opened_for(tree, [5], [], ["m0"]), []);
});

test("what was shut is forgotten once no way leads through it", () => {
  const tree = nested(), shut = new Set(["m0", "m1"]);
  assert.deepEqual([...still_shut(tree, shut, [5])], ["m0", "m1"]);
  assert.deepEqual([...still_shut(tree, shut, [4])], ["m0"]);
  assert.deepEqual([...still_shut(tree, shut, [7])], []);
});
