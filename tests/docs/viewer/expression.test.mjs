// Expressions and the formulas that are read into them.
import assert from "node:assert/strict";
import test from "node:test";
import { agrees, derivative, evaluate } from "../../../docs/viewer/expression.js";
import { function_of, number_leaf, product_of, sum_of } from "../../../docs/viewer/expression.js";
import { expression_of, split_formula } from "../../../docs/viewer/formula.js";
import { shown_pieces, text_of_pieces } from "../../../docs/viewer/show_expression.js";
import { stored_number } from "../../../docs/viewer/stored.js";

const bound = (names) => (name) => (name in names ? number_leaf(names[name], { name }) : undefined);
const value_of = (text, names) => evaluate(expression_of(text, bound(names))).value;
const close = (a, b) => assert.ok(Math.abs(a - b) <= 1e-12 * Math.max(1, Math.abs(b)), `${a}, expected ${b}`);

test("formulas of the sources are read with the precedence they are written with", () => {
  const names = { a: 2, b: 3, x: 0.5, y: -4, "dL/dy": 10, mask: 0 };
  const expected = {
    "a + b": 5,
    "-x": -0.5,
    "dL/dy ⊙ b": 30,
    "-dL/dy ⊙ y / b": 40 / 3,
    "a^b": 8,
    "dL/dy ⊙ b ⊙ a^(b-1)": 120,
    "dL/dy ⊙ y ⊙ log a": -40 * Math.LN2,
    "|y|": 4,
    "max(a, b)": 3,
    "dL/dy ⊙ [a > b]": 0,
    "dL/dy ⊙ [b > a]": 10,
    "e^x - 1": Math.sqrt(Math.E) - 1,
    "log(1 + x)": Math.log(1.5),
    "√a": Math.SQRT2,
    "dL/dy / 2y": -1.25,
    "-dL/dy ⊙ sin x": -10 * Math.sin(0.5),
    "dL/dy ⊙ (1 - y²)": -150,
    "1 / (1 + e^-x)": 0.6224593312018546,
    "dL/dy ⊙ 2/√π ⊙ e^(-x²)": 8.787825789354449,
    "mask ? a : b": 3,
    "-a²": -4,
    "a - b - x": -1.5,
    "erf x": 0.5204998778130465,
  };
  for (const [text, value] of Object.entries(expected)) close(value_of(text, names), value);
});

test("what is words, or names something unknown, is no formula", () => {
  for (const text of [
    "x, rounded to another dtype",
    "dL/dy under x's",
    "Σ x",
    "x[indices[j]]",
    "relu6(x + 3) / 6",
    "x * gradus::tanh(x)",
    "",
  ]) {
    assert.equal(expression_of(text, bound({ x: 1, "dL/dy": 1 })), null, text);
  }
  assert.deepEqual(split_formula("dL/da = dL/dy ⊙ b"), { left: "dL/da", right: "dL/dy ⊙ b" });
});

test("what a condition shuts out does no harm: 0 · ∞ and 0 · NaN are 0", () => {
  assert.equal(value_of("dL/dy ⊙ [x > 0]", { x: -1, "dL/dy": Infinity }), 0);
  assert.equal(value_of("dL/dy ⊙ [x > 0]", { x: -1, "dL/dy": NaN }), 0);
});

test("derivatives are those from the book, and a number that is used twice counts twice", () => {
  const x = number_leaf(0.3),
    by_x = (leaf) => leaf === x;
  close(derivative(function_of("tanh", x), by_x).slope, 1 - Math.tanh(0.3) ** 2);
  close(derivative(product_of(x, x, number_leaf(5)), by_x).slope, 3);
  close(
    derivative(
      expression_of("x ⊙ σ(x)", (name) => (name === "x" ? x : undefined)),
      by_x,
    ).slope,
    0.6477800103188828,
  );
  close(
    derivative(
      expression_of("a / x - √x", (name) => ({ a: number_leaf(2), x })[name]),
      by_x,
    ).slope,
    -2 / 0.09 - 0.5 / Math.sqrt(0.3),
  );
});

test("brackets stand where they are needed, and long sums are summed up", () => {
  const shown = (e) => text_of_pieces(shown_pieces(e));
  const at = bound({ a: 2, b: -3 });
  assert.equal(shown(expression_of("a ⊙ b", at)), "2 × (−3)");
  assert.equal(shown(expression_of("a ⊙ (1 - b²)", at)), "2 × (1 − (−3)²)");
  assert.equal(shown(expression_of("a - (b - a)", at)), "2 − (−3 − 2)");
  assert.equal(shown(expression_of("a / (a ⊙ a)", at)), "2 / (2 × 2)");
  assert.equal(shown(expression_of("a ⊙ (b / a)", at)), "2 × ((−3) / 2)");
  const terms = Array.from({ length: 64 }, (_, i) => number_leaf(i + 1));
  assert.equal(shown(sum_of(...terms)), "1 + 2 + 3 + 4 + … 58 more (together 1943) + 63 + 64");
});

test("a sum may be off by the rounding of its terms, and by no more", () => {
  const sum = evaluate(sum_of(number_leaf(1e4), number_leaf(-1e4), number_leaf(1)));
  assert.ok(agrees(sum, 1.001, "f32")); // 10⁴ has a place of 0.001 in f32
  assert.ok(!agrees(sum, 1.001, "f64"));
  assert.ok(!agrees(sum, 1.1, "f32"));
  assert.ok(
    agrees(evaluate(number_leaf(NaN)), NaN, "f32") &&
      !agrees(evaluate(number_leaf(NaN)), 1, "f32") &&
      !agrees(evaluate(number_leaf(1)), NaN, "f32"),
  );
  assert.ok(agrees(evaluate(number_leaf(1e39)), Infinity, "f32") && !agrees(evaluate(number_leaf(1e37)), Infinity, "f32"));
});

test("a number of a trace is brought back to the bits it had", () => {
  assert.equal(stored_number(0.1, "f32"), 0.10000000149011612);
  assert.equal(stored_number(0.968, "f16"), 0.9677734375);
  assert.equal(stored_number(6.0e-8, "f16"), 2 ** -24);
  assert.equal(stored_number(-16.2, "f16"), -16.203125);
  assert.equal(stored_number(0.1, "f64"), 0.1);
});
