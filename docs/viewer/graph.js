// The picture: boxes and edges in a field that scrolls. Only what is near the window is in the page, so that a layout of
// many boxes costs no more than what one sees of it.
import { drawn, element, tool } from "../kit/dom.mjs";
import { look_of, tensor_face, words_of } from "./box.js";
import { arrow_heads, bounds_of, contribution_mark, path_of } from "./edges.js";
import { fold_stepper, group_face, group_title, picked } from "./group_box.js";
import { letters_in, without_path } from "./labels.js";
import { deliveries_of } from "./model.js";

const MARGIN = 300; // pixels around the window that are drawn, too
const MOST_DRAWN = 300;
const MOST_SCALE = 1.25; // to which a small picture is enlarged by itself
const LEAST_READ = 0.3; // below which no text can be read

// `act` has select(number), open(group id), close(group id), choose(node, ±1), pin(group id).
export function create_graph(container, act) {
  const lines = drawn("svg.lines", { "aria-hidden": "true" }, arrow_heads());
  const forward = drawn("g.forward");
  const backward = drawn("g");
  lines.append(forward, backward);
  const boxes = element("div.boxes", { role: "list", "aria-label": "Tensors and modules, inputs first" });
  const field = element("div.field", lines, boxes);
  const sized = element("div.sized", field);
  container.append(sized);
  const graph = {
    container,
    act,
    lines,
    forward,
    backward,
    boxes,
    field,
    sized,
    scale: 1,
    elements: new Map(),
    view: null,
    moment: null,
  };
  container.addEventListener("scroll", () => requestAnimationFrame(() => draw(graph)), { passive: true });
  return {
    show: (view, focus, as_whole) => show(graph, view, focus, as_whole),
    at: (moment) => at_moment(graph, moment),
    zoom: (scale) => zoom(graph, scale, true),
    // Whether the whole can be seen then: no smaller than can be read.
    fit() {
      zoom(graph, Math.max(LEAST_READ, Math.min(1, room_for(graph))), true);
      return room_for(graph) >= LEAST_READ;
    },
    scale: () => graph.scale,
    reveal: (number) => reveal(graph, number),
  };
}

// A view: { model, visible, placed } of visible_graph() and layout(). `focus`: the group that was opened or closed by one
// of its buttons, which keeps the focus. `as_whole`: all was opened or folded, so that the reader's scale is none any more.
function show(graph, view, focus, as_whole) {
  graph.view = view;
  graph.moment = null;
  graph.focus = document.activeElement.closest?.(".box") && focus;
  graph.elements.forEach(({ box }) => box.remove());
  graph.elements.clear();
  graph.routes = new Map(view.visible.edges.map((edge, i) => [`${edge.from}>${edge.to}`, view.placed.routes[i]]));
  graph.bounds = view.placed.routes.map(bounds_of);
  if (as_whole) graph.zoomed = false;
  zoom(graph, graph.zoomed ? graph.scale : Math.min(MOST_SCALE, Math.max(1, room_for(graph))));
}

function zoom(graph, scale, by_reader = false) {
  graph.zoomed ||= by_reader;
  const { width, height } = graph.view.placed;
  const { container } = graph;
  const [x, y] = [
    (container.scrollLeft + container.clientWidth / 2) / graph.scale,
    (container.scrollTop + container.clientHeight / 2) / graph.scale,
  ];
  graph.scale = Math.min(2, Math.max(0.15, scale));
  graph.field.style.cssText = `width:${width}px;height:${height}px;transform:scale(${graph.scale})`;
  graph.sized.style.cssText = `width:${Math.ceil(width * graph.scale)}px;height:${Math.ceil(height * graph.scale)}px`;
  graph.lines.setAttribute("viewBox", `0 0 ${width} ${height}`);
  container.scrollTo(x * graph.scale - container.clientWidth / 2, y * graph.scale - container.clientHeight / 2);
  draw(graph);
}

// The scale at which the whole can be seen.
function room_for({ container, view }) {
  return Math.min(container.clientWidth / (view.placed.width + 24), container.clientHeight / (view.placed.height + 24));
}

// The window in the layout's own coordinates: [x, y, x, y].
function window_of({ container, scale }) {
  const x = container.scrollLeft / scale;
  const y = container.scrollTop / scale;
  return [
    x - MARGIN,
    y - MARGIN,
    x + container.clientWidth / scale + MARGIN,
    y + container.clientHeight / scale + MARGIN,
  ];
}

const touch = ([x, y, w, h], [left, top, right, bottom]) => x < right && x + w > left && y < bottom && y + h > top;

function draw(graph) {
  const { view, moment } = graph;
  if (!view || !moment) return;
  const window = window_of(graph);
  const wanted = [];
  for (let i = 0; i < view.visible.nodes.length && wanted.length < MOST_DRAWN; ++i) {
    if (touch(view.placed.boxes[i], window)) wanted.push(i);
  }
  const keep = new Set(wanted);
  for (const [i, { box }] of graph.elements) {
    if (keep.has(i) || box.contains(document.activeElement)) continue;
    box.remove();
    graph.elements.delete(i);
  }
  for (const i of wanted) draw_box(graph, i);
  draw_forward(graph, window);
  keep_focus(graph);
}

function keep_focus(graph) {
  const box = graph.focus && graph.boxes.querySelector(`[data-of="${graph.focus}"] button`);
  if (!box) return;
  graph.focus = null;
  box.focus({ preventScroll: true });
}

function draw_forward(graph, window) {
  const { visible, placed } = graph.view;
  const paths = [];
  for (let i = 0; i < visible.edges.length && paths.length < 2 * MOST_DRAWN; ++i) {
    const [x, y, to_x, to_y] = graph.bounds[i];
    if (touch([x, y, to_x - x + 1, to_y - y + 1], window))
      paths.push(drawn("path", { d: path_of(placed.routes[i]), "marker-end": "url(#down)" }));
  }
  graph.forward.replaceChildren(...paths);
}

function draw_box(graph, i) {
  const { view, moment } = graph;
  const node = view.visible.nodes[i];
  const look = `${look_of(view.model, node, moment.state)} ${picked(node, moment.picks, moment.state)}`;
  let drawn_box = graph.elements.get(i);
  if (!drawn_box) {
    const [x, y, w, h] = view.placed.boxes[i];
    const box = element("div.box", { role: "listitem", "data-of": node.group?.id ?? node.id,
      style: `left:${x}px;top:${y}px;width:${w}px;height:${h}px` });
    graph.elements.set(i, drawn_box = { box, look: "" });
    const after = [...graph.elements].filter(([other]) => other > i).sort((a, b) => a[0] - b[0])[0];
    graph.boxes.insertBefore(box, after ? after[1].box : null); // so that Tab goes in order
  }
  mark_box(graph, node, drawn_box.box);
  if (drawn_box.look === look) return;
  drawn_box.look = look;
  const focused = drawn_box.box.contains(document.activeElement)
    ? document.activeElement.getAttribute("data-part")
    : null;
  drawn_box.box.replaceChildren(...content_of(graph, node));
  if (focused) drawn_box.box.querySelector(`[data-part="${focused}"]`)?.focus({ preventScroll: true });
}

// Its place in the walk, and whether it is chosen.
function mark_box(graph, node, box) {
  const { state, selection } = graph.moment;
  const { model } = graph.view;
  const phase = node.kind === "tensor" ? state.phase(node.number) : group_phase(model, graph, node);
  const off = node.kind === "tensor" && !model.arrivals.has(node.number);
  const severed = node.kind === "tensor" && model.tensor(node.number).severed_by?.length > 0;
  box.className = `box ${node.kind} ${phase}`;
  box.classList.toggle("off", off);
  box.classList.toggle("severed-box", severed);
  box.classList.toggle("fold", node.members?.length > 1);
  const chosen = node.kind === "tensor" && selection?.tensor === node.number;
  box.querySelector(".pick")?.setAttribute("aria-pressed", String(chosen));
  box.classList.toggle("selected", chosen);
  box.classList.toggle("on-path", path_nodes(graph).has(node));
}

// The boxes of the tensors on the path that was found, or of the groups they are in.
function path_nodes({ moment, view }) {
  const { box_of, nodes } = view.visible;
  return (moment.path_nodes ??= new Set([...moment.path].map((number) => nodes[box_of(number)])));
}

function group_phase(model, graph, node) {
  const [look_visited, waiting, current] = look_of(model, node, graph.moment.state).split(" ");
  if (node.kind === "frame") return "open";
  if (current === "true") return "current";
  if (Number(waiting) > 0) return "waiting";
  return Number(look_visited) === node.visits.length && node.visits.length > 0 ? "visited" : "none";
}

function content_of(graph, node) {
  const { model } = graph.view;
  const { moment, act } = graph;
  if (node.kind === "frame") return [frame_head(graph, node)];
  const chosen = picked(node, moment.picks, moment.state);
  const open = () => act.open(node.members[chosen].id);
  const pick = element("button.pick", {
    type: "button",
    "data-part": "pick",
    "aria-label": words_of(model, node, moment.state),
    title: node.kind === "tensor" ? letters_in(model, model.tensor(node.number).shape) || null : null,
    onclick: node.kind === "tensor" ? () => act.select(node.number) : open,
    "aria-pressed": node.kind === "tensor" ? String(moment.selection?.tensor === node.number) : null,
    "aria-expanded": node.kind === "tensor" ? null : "false",
  });
  const face = node.kind === "tensor" ? tensor_face(model, node, moment.state) : group_face(model, node, moment.state);
  face.setAttribute("aria-hidden", "true");
  const stepper = node.members?.length > 1 && fold_stepper(node, chosen, { choose: (by) => act.choose(node, by), open });
  return [pick, face, stepper].filter(Boolean);
}

function frame_head(graph, node) {
  const { act, moment } = graph;
  const { group } = node;
  const title = group_title(group);
  const pinned = moment.pinned.has(group.id);
  return element("div.frame-head",
    tool(`Close ${title}`, "−", () => act.close(group.id), { "data-part": "close", "aria-expanded": "true" }),
    element("span.name", without_path(title, node.within)), element("span.meta", group.type),
    tool(`${pinned ? "pinned" : "pin"}: ${title} stays open`, pinned ? "pinned" : "pin", () => act.pin(group.id), { class: "pin",
      "data-part": "pin", "aria-pressed": String(pinned) }));
}

// A moment: { state, selection, picks, pinned, moving }; `moving`: the last contribution has just come.
function at_moment(graph, moment) {
  graph.moment = moment;
  if (!graph.view) return;
  const { state } = moment;
  const { box_of, nodes } = graph.view.visible;
  state.waiting_in = new Map();
  for (const number of state.pending()) {
    const node = nodes[box_of(number)];
    state.waiting_in.set(node, (state.waiting_in.get(node) ?? 0) + 1);
  }
  draw(graph);
  draw_contributions(graph);
}

// What the visit under way has handed on: the last contribution moves.
function draw_contributions(graph) {
  const { model, visible } = graph.view;
  const { state, moving } = graph.moment;
  const marks = [];
  if (state.visit >= 0) {
    const to = visible.box_of(state.current);
    deliveries_of(model.trace.walk[state.visit])
      .slice(0, state.done)
      .forEach((delivery, i) => {
        const route = graph.routes.get(`${visible.box_of(delivery.to)}>${to}`);
        if (route) marks.push(...contribution_mark(route, delivery, moving && i === state.done - 1));
      });
  }
  graph.backward.replaceChildren(...marks);
}

// Brings a tensor's box into the window: to its middle, unless it is well inside already.
function reveal(graph, number) {
  const index = graph.view?.visible.box_of(number) ?? -1;
  if (index < 0) return;
  const [x, y, w, h] = graph.view.placed.boxes[index].map((v) => v * graph.scale);
  const { container } = graph;
  const to_middle = (from, size, at, length) => from < at + 40 || from + size > at + length - 40 ? from + size / 2 - length / 2 : at;
  container.scrollTo({
    left: to_middle(x, w, container.scrollLeft, container.clientWidth),
    top: to_middle(y, h, container.scrollTop, container.clientHeight),
  });
  draw(graph);
}
