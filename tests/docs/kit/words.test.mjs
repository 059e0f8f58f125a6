// Numbers and formulas as a page writes them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { formula_html, formula_said } from "../../../docs/kit/formula.mjs";
import { fixed, shown, with_commas } from "../../../docs/kit/words.mjs";

test("a number has three digits, a true minus, commas from 10,000 on, powers of ten where it is very small or large", () => {
  const numbers = [0, 0.5, -0.0123456, 1234.6, 12345, 1e-4, 3.21e7, 0.9999, NaN, -Infinity];
  assert.deepEqual(
    numbers.map((x) => shown(x)),
    ["0", "0.500", "−0.0123", "1235", "12,345", "1.00·10⁻⁴", "32,100,000", "1.00", "NaN", "−∞"],
  );
  assert.equal(shown(3.217e7 + 0.5, 2), "3.2·10⁷");
  assert.deepEqual([fixed(-0.001, 2), fixed(-1.005, 1), fixed(NaN, 1)], ["0.00", "−1.0", "NaN"]);
  assert.deepEqual([with_commas(9999), with_commas(-1234567)], ["9999", "−1,234,567"]);
});

test("a formula is HTML, and a line of text with brackets where they are needed", () => {
  const source = "{v y}{sub i} = {frac {v x} − μ | {root {v σ}² + {c ε}}}";
  assert.equal(
    formula_html(source),
    '<var class="v">y</var><sub>i</sub> = <span class="fr"><span><var class="v">x</var> − μ</span><span><span class="rt"><span>' +
      '<var class="v">σ</var>² + <var class="c">ε</var></span></span></span></span>',
  );
  assert.equal(formula_said(source), "y_i = (x − μ) / (√(σ² + ε))");
  assert.equal(formula_html("a < b"), "a &lt; b");
});

test("a formula that is not closed, and a word that is not known, are refused", () => {
  assert.throws(() => formula_html("{v y"), /is not closed/);
  assert.throws(() => formula_html("{w y}"), /what is this/);
  assert.throws(() => formula_html("y}"), /without/);
});
