// The page: one state, what changes it, and what is drawn of it.
import { picked } from "./group_box.js";
import { box_size } from "./box.js";
import { create_controls } from "./controls.js";
import { create_find } from "./find.js";
import { create_graph } from "./graph.js";
import { create_layouter } from "./layout_worker.js";
import { group_tree, numbers_in } from "./groups.js";
import { hash_of, read_hash } from "./address.js";
import { index_trace } from "./model.js";
import { open_all, open_at_first, opened, visible_graph } from "./visible.js";
import { render_details } from "./detail_panel.js";
import { render_pending, render_step, sentence_of } from "./step_panel.js";
import { set_up_extras, set_up_head } from "./page.js";

const part = (id) => document.getElementById(id);

function start() {
  const texts = [...document.querySelectorAll("script.trace")].map((script) => script.textContent);
  const models = texts.map((text) => index_trace(JSON.parse(text)));
  const app = {
    models,
    tick: 0,
    selection: null,
    picks: new Map(),
    pinned: new Set(),
    trace: 0,
    open: new Set(),
    first_open: new Set(),
    pushed: 0,
    reveal: 0,
    revealing: true,
  }; // reveal: the tensor to bring into the window; revealing: the one being visited
  app.layouter = create_layouter((boxes) => show_busy(boxes));
  app.graph = create_graph(part("graph"), actions(app));
  app.walk = walker(app);
  app.controls = create_controls(part("controls"), app.walk);
  set_up_tools(app);
  window.addEventListener("popstate", () => from_address(app));
  window.addEventListener("resize", () => draw_moment(app));
  from_address(app);
}

// Takes another of the traces, or the first.
function take_trace(app, index) {
  app.trace = index;
  app.model = app.models[index];
  app.tree = group_tree(app.model);
  app.first_open = open_at_first(app.tree);
  app.open = new Set(app.first_open);
  app.pinned.clear();
  set_up_head(app.models, index, (other) => change_trace(app, other));
  create_find(part("find"), app.model, (choice) => select(app, choice));
  set_up_extras(app.models, index, (choice) => select(app, choice));
}

function change_trace(app, index) {
  Object.assign(app, { tick: 0, selection: null, picks: new Map() });
  take_trace(app, index);
  remember(app, true);
  app.revealing = true;
  lay_out(app);
}

function from_address(app) {
  const read = read_hash(app.models, location.hash);
  if (!app.model || read.trace !== app.trace) take_trace(app, read.trace);
  const before = [...app.open].join();
  app.open = read.open ? new Set(read.open.filter((id) => app.tree.by_id.has(id))) : new Set(app.first_open);
  Object.assign(app, {
    tick: read.tick,
    selection: read.selection,
    picks: read.picks,
    revealing: true,
    reveal: read.selection?.tensor,
  });
  if (!app.placed || before !== [...app.open].join()) lay_out(app);
  else draw_moment(app);
}

// Writes the state into the address. Steps by key replace each other; anything else, or a pause, makes a new entry.
function remember(app, jump) {
  const hash = `#${hash_of(app.model, app)}`;
  if (hash === location.hash || (hash === "#" && !location.hash)) return;
  const now = Date.now();
  const push = jump || now - app.pushed > 2000;
  history[push ? "pushState" : "replaceState"](null, "", hash);
  app.pushed = now;
}

async function lay_out(app, go_back) {
  const { model, tree } = app;
  const visible = visible_graph(model, tree, app.open);
  for (const node of visible.nodes) node.within = visible.nodes[node.parent]?.group.path;
  const boxes = visible.nodes.map((node) => ({
    parent: node.parent,
    order: node.order,
    ...box_size(model, node),
    source: node.kind === "tensor" && !model.tensor(node.number).inputs?.length,
  }));
  const edges = visible.edges.map(({ from, to }) => [from, to]);
  const view = part("graph");
  const placed = await app.layouter.run({
    boxes,
    edges,
    width: Math.max(view.clientWidth - 12, 200),
    height: Math.max(view.clientHeight, 400),
  });
  if (!placed) return go_back?.();
  app.placed = { model, visible, placed };
  app.graph.show(app.placed, app.focus);
  draw_moment(app);
  document.documentElement.dataset.boxes = boxes.length;
}

function show_busy(boxes) {
  clearTimeout(show_busy.timer);
  part("busy").hidden = true;
  if (boxes === 0) return;
  part("busy-text").textContent = `Laying out ${boxes.toLocaleString("en")} boxes …`;
  show_busy.timer = setTimeout(() => (part("busy").hidden = false), 150);
}

function draw_moment(app, moving = false) {
  const { model } = app;
  const state = model.state_at(app.tick);
  const choice = app.selection ?? {
    tensor: state.current || model.trace.outputs[0],
    cell: null,
    gradient: state.visit >= 0,
  };
  const on_select = (to) => select(app, to);
  if (app.placed?.model === model) {
    app.graph.at({ state, selection: app.selection, picks: app.picks, pinned: app.pinned, moving });
    if (app.reveal) app.graph.reveal(app.reveal);
    else if (app.revealing) app.graph.reveal(state.current || model.trace.outputs[0]);
    Object.assign(app, { reveal: 0, revealing: false });
  }
  render_step(part("step"), model, state, on_select);
  render_pending(part("pending"), model, state, on_select);
  render_details(part("details"), model, state, {
    choice,
    chosen: app.selection !== null,
    on_select,
    on_release: () => select(app, null),
  });
  app.controls.show(state, model);
  part("live").textContent = sentence_of(model, state);
}

// The steps. Each returns whether there was one to take.
function walker(app) {
  const to = (tick, moving) => {
    const inside = Math.min(Math.max(tick, 0), app.model.last_tick);
    if (inside === app.tick) return false;
    Object.assign(app, { tick: inside, revealing: true });
    remember(app, false);
    draw_moment(app, moving);
    return true;
  };
  const end_of = (visit) => (visit < 0 ? 0 : app.model.start[visit + 1] - 1);
  return {
    to,
    visit(by) {
      const { visit, done, deliveries } = app.model.state_at(app.tick);
      if (by < 0) return to(end_of(visit - 1), false);
      return to(
        visit >= 0 && done < deliveries ? end_of(visit) : end_of(Math.min(visit + 1, app.model.trace.walk.length - 1)),
        true,
      );
    },
    delivery: (by) => to(app.tick + by, by > 0),
    ends: (which) => to(which ? app.model.last_tick : 0, false),
    at_end: () => app.tick === app.model.last_tick,
  };
}

function select(app, choice) {
  app.selection = choice?.tensor
    ? { tensor: choice.tensor, cell: choice.cell ?? null, gradient: Boolean(choice.gradient) }
    : null;
  app.reveal = app.selection?.tensor;
  remember(app, true);
  draw_moment(app);
}

// What the boxes do.
function actions(app) {
  const set_open = (open, note) => {
    const before = app.open;
    app.open = open;
    part("note").textContent = note ?? "";
    remember(app, true);
    lay_out(app, () => (app.open = before));
  };
  app.set_open = set_open;
  return {
    select: (number) => select(app, { tensor: number, cell: null, gradient: app.selection?.gradient ?? false }),
    open(id) {
      const { open, closed } = opened(app.model, app.tree, app.open, id, app.pinned);
      Object.assign(app, { reveal: numbers_in(app.tree.by_id.get(id))[0], focus: id });
      set_open(
        open,
        closed ? `Closed ${closed} opened earlier, so that no more than 300 boxes are open. Pin what shall stay.` : "",
      );
    },
    close(id) {
      const open = new Set(app.open);
      open.delete(id);
      app.pinned.delete(id);
      app.focus = id;
      set_open(open);
    },
    choose(node, by) {
      app.picks.set(node.run[0].id, picked(node, app.picks, app.model.state_at(app.tick)) + by);
      remember(app, false);
      draw_moment(app);
    },
    pin(id) {
      if (!app.pinned.delete(id)) app.pinned.add(id);
      draw_moment(app);
    },
  };
}

function set_up_tools(app) {
  const on = (id, act) => part(id).addEventListener("click", act);
  on("zoom-in", () => app.graph.zoom(app.graph.scale() * 1.25));
  on("zoom-out", () => app.graph.zoom(app.graph.scale() / 1.25));
  on("fit", () => app.graph.fit());
  on("show-all", () => app.set_open(open_all(app.tree)));
  on("fold-all", () => app.set_open(new Set(app.first_open)));
  on("cancel", () => app.layouter.cancel());
}

start();
