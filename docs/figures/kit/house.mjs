// Observable Plot in the house style. A figure module looks like one of these; draw() is called once at 720 and once at
// 358 pixels of width (not scaled), and a third time in the browser when the reader points at the picture.
//
//   A line plot, as docs/kit/plot.mjs has it in reports: names stand at the ends of the lines, that of the y axis at the top left.
//     export const title = "Root mean square of the output against the scale of the input";
//     export const results = ["ch04"];                    // docs/made/results/ch04.json, or docs/made/outputs/NAME.output (JSON)
//     export const draw = ({ house, results: { ch04 } }) =>
//       house.chart({
//         x: { name: "scale of the input", log: true, from: 1e-6, to: 1e6 },      // and any option of a scale of Plot
//         y: { name: "RMS of the output (dB)", from: 0, to: 1.1 },                // unit in brackets
//         clip: true,                                                             // lines may leave the frame
//         lines: [
//           { name: "ε = 0", colour: "f1", x: ch04.series.a, y: ch04.series.exact },    // without x: at 0, 1, 2 …
//           { name: "ε = 10⁻⁵", short: "10⁻⁵", colour: "f2", x, y, low, high },        // short: at 358 px; low, high: a band
//           { name: "no norm", colour: "none", x, y },                            // the baseline is grey and dashed
//           { name: "all in f16", label: false, dash: true, x, y },               // said elsewhere; `at`: [x, y] puts its name there
//         ],
//         dots: [{ x: 1, y: 0.71, colour: "ink" }],
//         words: [[3e-3, 0.71, "0.71 where a = √ε", { short: "0.71", dx: 8 }]],   // in the plot
//         under: [house.rule({ y: 1 })], over: [],                                // marks below the lines, and above them
//         panels: ["ELU", "CELU"], stacked: true,                                 // beside each other (at 358 px one below the other):
//       });                                                                       // lines, dots and words then have a `panel`
//   Any other plot: Plot.plot({ ...house.plot({ x, y, labels }), marks: [house.line(…), house.text(…)] })
//   A dot strip for each variant, over the baseline's grey band:
//     house.strips([{ name: "layer norm", values: [0.2, 0.3], colour: "none" }, …], { baseline: "layer norm", x: { label: "loss" } })
//   A heat map in a drawing: heat(d, x, y, [[0.4, -0.1], [0, null]], { size: 40, signed: true, limit: 0.4 }), see heat.mjs
//   Colours by name: house.colour.f1 … f4, none (variants); value, gradient, parameter, constant, right, wrong (roles);
//   ink, soft, line, paper. Numbers: house.number(-3.2e-6) is −3.2·10⁻⁶.
//   Drawings (boxes, arrows, cells): see drawing.mjs. See it: node docs/figures/kit/render.mjs NAME, or --page NAME.
import * as Plot from "@observablehq/plot";
import { colour, colour_of } from "../../kit/svg.mjs";
import { number, power, powers_within, text_width, with_minus } from "../../kit/words.mjs";
import { cut } from "./cut.mjs";
import { label_marks } from "./labels.mjs";

const HALO = { stroke: colour.paper, strokeWidth: 4, strokeLinejoin: "round" };

// Dash of a line: the baseline's always, another's where it says so.
const dash_of = ({ colour: name, dash }) => (dash ? (dash === true ? "7 5" : dash) : name === "none" ? "7 5" : undefined);

function axis(options = {}, own = {}) {
  const log = options.type === "log";
  const ticks = log && options.domain ? { ticks: powers_within(options.domain, own.most) } : {};
  const format = log ? { tickFormat: power } : {};
  return { labelArrow: "none", ...own.options, ...ticks, ...format, ...options };
}

// The helpers for one drawing of one figure. live: in the browser, with words at the pointer.
export function make_house({ document, width, live = false }) {
  const narrow = width < 500;
  const size = narrow ? 12 : 13;
  const shown = (series) => (narrow ? (series.short ?? series.name) : series.name);

  const right_of = (labels) =>
    labels?.length ? Math.ceil(14 + Math.max(...labels.map((l) => text_width(shown(Object(l)) ?? l, size)))) : 16;

  function plot({ x, y, labels, style, ...rest } = {}) {
    return {
      document,
      width,
      height: narrow ? 320 : 360,
      marginLeft: narrow ? 40 : 48,
      marginRight: right_of(labels),
      marginTop: y?.label ? 34 : 16,
      marginBottom: 44,
      color: { type: "identity" },
      x: axis(x, { most: narrow ? 5 : 7, options: { labelAnchor: "center", labelOffset: 38, line: true, tickSize: 4 } }),
      y: axis(y, { most: 7, options: { labelAnchor: "top", grid: colour.line, tickSize: 0, ticks: 6 } }),
      ...rest,
      style: { fontFamily: "var(--text)", fontSize: `${size}px`, color: colour.soft, overflow: "visible", ...style },
    };
  }

  // clip: a line that leaves the frame ends at its edge.
  function line(data, { x, y, colour: name = "f1", dash, strokeWidth = 2.2, clip, ...rest }) {
    const strokeDasharray = dash_of({ colour: name, dash });
    const strokeLinecap = strokeDasharray ? "butt" : "round";
    const look = { x, y, stroke: colour_of(name), strokeWidth, strokeDasharray, strokeLinecap, ...rest };
    return Plot.line(data, clip ? Plot.initializer(look, cut) : look);
  }

  // Words at the pointer: drawn only in the browser. Plot's `tip` options; title: what it says.
  const spoken = { maxRadius: 24, fill: colour.paper, stroke: colour.soft, fontSize: 13 };
  const tip = (data, options) => (live ? Plot.tip(data, Plot.pointer({ ...spoken, ...options })) : null);

  const band = (data, { colour: name = "f1", ...options }) => Plot.areaY(data, { fill: colour_of(name), fillOpacity: 0.16, ...options });

  // From least to greatest of the baseline's values, across the whole frame.
  const spread = (values) =>
    Plot.rect([values], { x1: () => Math.min(...values), x2: () => Math.max(...values), fill: colour.hidden, fillOpacity: 0.7 });

  function text(x, y, words, { colour: name = "ink", textAnchor = "start", ...rest } = {}) {
    const look = { text: () => with_minus(words), fill: colour_of(name), textAnchor, ...HALO };
    return Plot.text([{ x, y }], { x: "x", y: "y", ...look, ...rest });
  }

  function rule({ x, y, colour: name = "soft", dash, ...rest }) {
    const look = { stroke: colour_of(name), strokeDasharray: dash, ...rest };
    return y === undefined ? Plot.ruleX([x], look) : Plot.ruleY([y], look);
  }

  const axis_of = ({ name, log, from, to, ...more }) => ({
    label: name,
    type: log ? "log" : undefined,
    domain: from === undefined ? undefined : [from, to],
    ...more,
  });
  const point = (i, { x, y, low, high }) => ({ x: x ? x[i] : i, y: y[i], low: low?.[i], high: high?.[i] });

  // A whole line plot; see the head of this file.
  function chart({ x, y, lines: given, clip, strokeWidth, dots = [], r = 4, words = [], under = [], over = [], panels, stacked, ...rest }) {
    const series = given.map((line) => ({ ...line, data: line.y.map((_, i) => point(i, line)).filter((one) => one.y !== null) }));
    const labels = panels ? [] : series.filter(({ label, at }) => label !== false && !at);
    const side = stacked && narrow ? "fy" : "fx";
    const panel_of = ({ panel }) => (panel === undefined ? {} : { [side]: () => panel });
    const curve = (one) =>
      line(one.data, { x: "x", y: "y", colour: one.colour, dash: one.dash, clip, strokeWidth: one.width ?? strokeWidth, ...panel_of(one) });
    const said = series.flatMap(({ name, panel, data }) => data.map((one) => ({ name, panel, ...one })));
    const look = side === "fx" ? { axis: "top", padding: 0.09 } : { axis: "right", padding: 0.16 };
    const faceted = panels ? { marginTop: 56, [side]: { domain: panels, label: null, tickSize: 0, ...look } } : {};
    return Plot.plot({
      ...plot({ x: axis_of(x), y: axis_of(y), labels, ...faceted, ...rest }),
      marks: [
        ...under,
        ...series.filter(({ low }) => low).map(({ data, colour: name }) =>
          band(data, { x: "x", y1: "low", y2: "high", colour: name, clip })
        ),
        ...series.map(curve),
        ...(panels ? [] : label_marks(Plot, series, { shown, size, halo: HALO })),
        tip(said, { x: "x", y: "y", title: (d) => `${d.name}: ${number(d.y)} at ${number(d.x)}`, ...(panels ? { [side]: "panel" } : {}) }),
        ...dots.map((dot) => dot.panel).filter((panel, i, all) => all.indexOf(panel) === i).map((panel) =>
          Plot.dot(dots.filter((dot) => dot.panel === panel), { x: "x", y: "y", r, fill: (d) => colour_of(d.colour ?? "ink"),
            ...panel_of({ panel }) })
        ),
        tip(dots.filter(({ panel }) => !panel), { x: "x", y: "y", title: (d) => `${number(d.y)} at ${number(d.x)}` }),
        ...over,
        ...words.map(([at_x, at_y, long, { short = long, panel, ...how } = {}]) =>
          text(at_x, at_y, narrow ? short : long, { ...how, ...panel_of({ panel }) })
        ),
      ],
    });
  }

  // One strip of dots a row with its median as a tick and as a number; the baseline's spread is a grey band behind all.
  function strips(rows, { baseline, x, digits = 3, under = [], ...rest } = {}) {
    const medians = rows.map((row) => ({ ...row, median: median(row.values) }));
    const dots = rows.flatMap((row) => row.values.map((value) => ({ ...row, value })));
    const base = rows.find((row) => row.name === baseline);
    const names = Math.ceil(Math.max(...rows.map((row) => text_width(shown(row), size))));
    const largest = Math.max(...medians.map((row) => Math.abs(row.median)));
    const decimals = Math.max(0, digits - 1 - Math.floor(Math.log10(largest || 1)));
    const row_colour = (d) => colour_of(d.colour ?? "f1");
    return Plot.plot({
      ...plot({ x, height: 56 + rows.length * 28, marginLeft: names + 12, marginRight: 62, marginTop: 12, ...rest }),
      y: { type: "band", domain: rows.map(shown), label: null, tickSize: 0, padding: 0.15 },
      marks: [
        ...under,
        base && spread(base.values),
        Plot.ruleY(rows, { y: shown, stroke: colour.line }),
        Plot.dot(dots, { x: "value", y: shown, r: 3.5, fill: row_colour, fillOpacity: 0.75 }),
        Plot.tickX(medians, { x: "median", y: shown, stroke: row_colour, strokeWidth: 2 }),
        Plot.text(medians, {
          y: shown,
          frameAnchor: "right",
          textAnchor: "start",
          dx: 10,
          fill: row_colour,
          text: (d) => with_minus(d.median.toFixed(decimals)),
        }),
        tip(dots, { x: "value", y: shown, title: (d) => `${d.name}: ${number(d.value)}` }),
      ],
    });
  }

  return { narrow, colour, number, plot, line, tip, text, rule, strips, chart };
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
