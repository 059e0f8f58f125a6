// A figure drawn in the browser, with words at the pointer. Loaded with the first figure that is pointed at.
import * as ObservablePlot from "@observablehq/plot";
import { drawing } from "../../figures/kit/drawing.mjs";
import { finish } from "../../figures/kit/finish.mjs";
import { make_house } from "../../figures/kit/house.mjs";
import { number } from "../../kit/words.mjs";

const word = (value) => (typeof value === "number" ? number(value) : String(value));
// Near enough to the pointer, so that no two speak at once.
const tip = { maxRadius: 24, format: { x: word, y: word, fill: false, stroke: false, z: false, fx: false, fy: false } };

// Marks of data say what they are at the pointer unless the figure says otherwise (tip: false).
const speaking = (mark) => (data, options) => mark(data, { tip, ...options });
const SPEAKING = ["line", "lineX", "lineY", "dot", "barX", "barY", "rectY"];

export function redraw(figure, name, width, results) {
  const Plot = { ...ObservablePlot };
  for (const mark of SPEAKING) Plot[mark] = speaking(ObservablePlot[mark]);
  const house = make_house({ document, width, live: true });
  const svg = figure.draw({ Plot, house, drawing, width, results });
  return finish(svg, `${name}-live`);
}
