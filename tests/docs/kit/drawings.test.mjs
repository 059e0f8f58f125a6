// Plots and heat maps: what is drawn, and where.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ink_on } from "../../../docs/kit/heat.mjs";
import { dot_strip, heat_map, key_of } from "../../../docs/kit/heat_map.mjs";
import { first_below, loss_plot } from "../../../docs/kit/loss_plot.mjs";
import { plot } from "../../../docs/kit/plot.mjs";
import { p_text, spreads_strip } from "../../../docs/kit/statistics.mjs";
import { colour_of } from "../../../docs/kit/svg.mjs";

const labels = (svg) => [...svg.matchAll(/<text[^>]*>([^<]*)</g)].map(([, words]) => words);
const wide = (svg) => svg.slice(0, svg.indexOf("</svg>\n"));
const two = (more) =>
  plot({
    title: "t",
    more: "a < b",
    x: { name: "step" },
    y: { name: "loss" },
    lines: [{ name: "one", x: [0, 1, 2], y: [4, NaN, 16] }, { name: "two", x: [0, 2], y: [8, 8], colour: "none" }],
    ...more,
  });

test("a plot is drawn wide and narrow, says what it shows, and names its lines", () => {
  const svg = two();
  assert.match(svg,
    /class="plot wide" viewBox="0 0 720 360" role="img" aria-label="t\. Line plot\. x: step; y: loss\. one from 4 to 16\. a &lt; b\."/);
  assert.match(svg, /class="plot narrow" viewBox="0 0 358 340"/);
  for (const word of ["one", "two", "step", "loss"]) assert.ok(labels(wide(svg)).includes(word));
});

test("a line is interrupted at a NaN; the baseline's is grey and dashed", () => {
  const [one, two_] = [...wide(two()).matchAll(/<path d="([^"]*)" ([^>]*stroke-width="2.2"[^>]*)>/g)];
  assert.equal(one[1].match(/M/g).length, 2);
  assert.match(one[2], /--f1/);
  assert.match(two_[2], /--none.*stroke-dasharray/);
});

test("an axis of several decades has a tick for each power, or for as many as there is room for; a short one 1, 2, 5", () => {
  const at = (y) => labels(wide(two({ y: { name: "loss", log: true }, lines: [{ x: [0, 1], y }] })));
  assert.deepEqual(at([2e-3, 3e2]).filter((word) => word.startsWith("10")), ["10⁻²", "10⁻¹", "10⁰", "10¹", "10²"]);
  assert.ok(at([1e-12, 1e12]).filter((word) => word.startsWith("10")).length <= 7);
  assert.deepEqual(at([4, 60]).slice(0, 4), ["5", "10", "20", "50"]);
});

test("a line may have more points than a function has room for arguments", () => {
  const svg = two({ lines: [{ name: "long", y: Array.from({ length: 300000 }, (_, i) => i) }] });
  assert.ok(labels(wide(svg)).includes("300,000"));
});

test("a band about a line is pale, a remark stands at its side, and the axes have their names", () => {
  const lines = [{ x: [0, 1], y: [1, 2], low: [0, 1], high: [2, 3], colour: "f2" }];
  const svg = wide(two({ lines, remarks: [{ text: "here", x: 1, y: 2, side: "left" }] }));
  assert.match(svg, /Z" fill="var\(--f2\)" opacity="\.16"/);
  assert.match(svg, /text-anchor="end" font-size="14" fill="var\(--ink\)">here</);
  assert.match(wide(loss_plot({ validation: { x: [0], y: [5] }, heights: [5, 3, 2, 1] })), />loss \(nats per byte\)</);
});

test("a strip of dots: the baseline's spread is grey, a mark is an upright line, and each says what it shows", () => {
  const strip = dot_strip({ values: [0, 0.5, 1], baseline: [0.25, 0.75], mark: 0.5, alt: "three" });
  assert.equal(strip.match(/<circle/g).length, 3);
  assert.match(strip, /<rect x="39\.5" y="0" width="71" height="16" fill="var\(--hidden\)"/);
  assert.match(strip, /x1="75" x2="75" y1="0" y2="16"/);
  assert.doesNotMatch(dot_strip({ values: [0] }), /<rect|--ink/);
  const spreads = spreads_strip([-1, 1], [-1, 1], "each");
  assert.match(spreads, /<rect x="27\.7" y="0" width="94\.6"/);
  assert.match(spreads, /aria-label="Dots: each, from −1\.0 to 1\.0 σ of the baseline’s mean\."/);
  assert.deepEqual([p_text(1e-5), p_text(0.04)], ["&lt; 0.0001", "0.0400"]);
});

test("a number on a colour of the heat can be read, and the baseline has a colour that no variant has", () => {
  assert.deepEqual(["g3", "g4", "g6", "m3"].map(ink_on), ["ink", "black", "paper", "paper"]);
  assert.equal(colour_of("none"), colour_of("constant"));
  const quiet = heat_map({ rows: [[0.1, 1.5, 3, 6]], sign: true, quiet: 1 });
  assert.deepEqual([...quiet.matchAll(/--(hidden|[mp]\d)/g)].map(([, colour]) => colour), ["hidden", "p1", "p2", "p3"]);
});

test("names at the right ends stand apart", () => {
  const svg = wide(two({ lines: ["a", "b", "c"].map((name) => ({ name, x: [0, 1], y: [0, 1] })) }));
  const heights = [...svg.matchAll(/<text x="[\d.]+" y="([\d.]+)"[^>]*>[abc]</g)].map(([, y]) => Number(y)).sort((a, b) => a - b);
  assert.ok(heights[1] - heights[0] > 14 && heights[2] - heights[1] > 14);
});

test("a heat map: colours by size or sign, a cross for NaN, an outline for exactly 0, numbers where there is room", () => {
  const map = { rows: [[1, 1e-3, 0], [NaN, 0.5, 0.02]], cell: 40, alt: "what is to be seen" };
  const svg = heat_map(map);
  assert.match(svg, /role="img" aria-label="what is to be seen"/);
  assert.deepEqual(labels(svg), ["1", "0.00100", "×", "0.500", "0.0200"]);
  assert.equal(svg.match(/fill="none" stroke="var\(--line\)"/g).length, 1);
  const signed = heat_map({ rows: [[-1, -0.2, 0, 0.05, 1]], sign: true });
  assert.deepEqual([...signed.matchAll(/--([mpz]\d)/g)].map(([, colour]) => colour), ["m3", "m2", "z0", "p1", "p3"]);
  assert.match(signed, /aria-hidden="true"/);
  assert.match(key_of(map, "weight"), /weight, log: &nbsp;0\.0010/);
});

test("a heat map of many small cells is a path for each colour, of runs down the columns", () => {
  const svg = heat_map({ rows: [[1, -1], [1, 1]], sign: true, cell: 2 });
  assert.match(svg, /<path stroke="var\(--p3\)" d="M0 0v2M1 1v1"\/>/);
  assert.match(svg, /<path stroke="var\(--m3\)" d="M1 0v1"\/>/);
});

test("a loss: alone it is a line with dots where it passes; beside a training loss it is dots alone", () => {
  const validation = { x: [0, 10, 20], y: [5.6, 3, 2.25] }, heights = [5.545, 3.4, 2.5, 2];
  assert.equal(first_below(validation, 2.5), 20);
  assert.equal(first_below(validation, 2), undefined);
  const dots = (svg) => wide(svg).match(/<circle/g).length;
  const alone = loss_plot({ validation, heights });
  assert.equal(dots(alone), 3);
  assert.match(alone, /first seen below the line pairs 2\.50 at step 20\. It stays above the line triples 2\.00\./);
  assert.equal(dots(loss_plot({ training: { x: [5], y: [4] }, validation, heights })), 3);
  const diverged = { x: [0, 10, 20, 30], y: [5.6, 3, Infinity, NaN] };
  assert.equal(dots(loss_plot({ training: { x: [5], y: [4] }, validation: diverged, heights })), 2);
});
