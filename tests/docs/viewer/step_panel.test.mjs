// What is said of a walk's beginning: which gradient it begins with, and who gave it.
import assert from "node:assert/strict";
import test from "node:test";
import { index_trace } from "../../../docs/viewer/model.js";
import { sentence_of } from "../../../docs/viewer/step_panel.js";
import { all, twice_used } from "./hand_made.mjs";

function first_sentence(contribution) {
  const trace = twice_used();
  Object.assign(trace.seeds[0], { contribution, after: contribution });
  const model = index_trace(trace);
  return sentence_of(model, model.state_at(0));
}

test("the seed 1 of a number is its gradient with respect to itself", () => {
  assert.equal(
    first_sentence(all(1)),
    "The walk begins: the gradient of y with respect to itself is 1. It waits in the map.",
  );
});

test("a seed that is not 1 was given by the program, and is not said to be 1", () => {
  const given = "The walk begins with a seed: the program gave dL/dy. It waits in the map.";
  assert.equal(first_sentence(all(0.25)), given);
  assert.equal(first_sentence(all(1, -0.5, 0)), given);
  assert.equal(first_sentence({ min: -0.9, max: 1, rms: 0.5, count: 1024 }), given, "a summary");
});

test("a seed of ones makes L the sum of the elements", () => {
  const ones = "The walk begins with a seed: the program gave dL/dy, 1 for each element, so L is their sum. It waits in the map.";
  assert.equal(first_sentence(all(1, 1, 1)), ones);
  assert.equal(first_sentence({ min: 1, max: 1, rms: 1, count: 1024 }), ones, "a summary");
});
