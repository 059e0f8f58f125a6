// Edges as paths: data flows down them in grey, gradients up in their own colour.
import { drawn } from "../kit/dom.mjs";
import { numel } from "./cells.js";
import { format_number } from "./model.js";

const ROUND = 8;

// A route of the layout as the d of a path, from input to consumer.
export function path_of(route) {
  let d = "";
  let end = [];
  for (const hop of route) {
    const [x, y] = hop;
    if (x !== end[0] || y !== end[1]) d += `${d === "" ? "M" : "L"}${x.toFixed(1)},${y.toFixed(1)}`;
    end = hop.slice(-2);
    if (hop.length === 4) d += curve(hop);
    else d += corners(hop);
  }
  return d;
}

function curve([x, y, to_x, to_y]) {
  if (Math.abs(x - to_x) < 0.1) return `L${to_x.toFixed(1)},${to_y.toFixed(1)}`;
  const middle = ((y + to_y) / 2).toFixed(1);
  return `C${x.toFixed(1)},${middle} ${to_x.toFixed(1)},${middle} ${to_x.toFixed(1)},${to_y.toFixed(1)}`;
}

function corners(points) {
  let d = "";
  for (let i = 2; i + 3 < points.length; i += 2) {
    const [ax, ay, bx, by, cx, cy] = points.slice(i - 2, i + 4);
    const before = Math.hypot(bx - ax, by - ay);
    const after = Math.hypot(cx - bx, cy - by);
    const r = Math.min(ROUND, before / 2, after / 2);
    if (r < 0.5) continue;
    const [px, py] = [bx - (r * (bx - ax)) / before, by - (r * (by - ay)) / before];
    const [qx, qy] = [bx + (r * (cx - bx)) / after, by + (r * (cy - by)) / after];
    d += `L${px.toFixed(1)},${py.toFixed(1)}Q${bx.toFixed(1)},${by.toFixed(1)} ${qx.toFixed(1)},${qy.toFixed(1)}`;
  }
  return `${d}L${points.at(-2).toFixed(1)},${points.at(-1).toFixed(1)}`;
}

// The box around a route: [least x, least y, greatest x, greatest y].
export function bounds_of(route) {
  const box = [Infinity, Infinity, -Infinity, -Infinity];
  for (const hop of route) {
    hop.forEach((v, i) => {
      box[i % 2] = Math.min(box[i % 2], v);
      box[2 + (i % 2)] = Math.max(box[2 + (i % 2)], v);
    });
  }
  return box;
}

// A contribution on its way up: the edge, and the number beside it where it is one number.
export function contribution_mark(route, delivery, moving) {
  const path = drawn("path", {
    d: path_of(route),
    class: moving ? "flow moving" : "flow",
    pathLength: 1,
    "marker-start": "url(#up)",
  });
  const { contribution } = delivery;
  const x = contribution.all?.[0];
  if (x === undefined || numel(contribution.shape ?? [contribution.all.length]) !== 1) return [path];
  const [at_x, at_y] = middle_of(route);
  return [path, drawn("text.flow-number", { x: at_x + 6, y: at_y + 4 }, format_number(x))];
}

// The middle of the last hop that is not a mere stub.
function middle_of(route) {
  const hop = route.reduce((a, b) => (length_of(b) >= length_of(a) ? b : a));
  if (hop.length === 4) return [(hop[0] + hop[2]) / 2, (hop[1] + hop[3]) / 2];
  return [hop.at(-2), hop.at(-1) - 12];
}

const length_of = (hop) => Math.hypot(hop[2] - hop[0], hop[3] - hop[1]);

// Arrow heads: forward at a consumer, backward at an input.
export function arrow_heads() {
  const head = (id, d) =>
    drawn(
      "marker",
      {
        id,
        viewBox: "0 0 8 8",
        refX: 4,
        refY: id === "up" ? 0.5 : 7,
        markerWidth: id === "up" ? 9 : 7,
        markerHeight: id === "up" ? 9 : 7,
        markerUnits: "userSpaceOnUse",
      },
      drawn("path", { d }),
    );
  return drawn("defs", head("down", "M0.5,0.5L4,7L7.5,0.5"), head("up", "M0.5,8L4,0.5L7.5,8z"));
}
