// The page: one state, what changes it, and what is drawn of it.
import { hash_of, read_hash } from "./address.js";
import { box_size } from "./box.js";
import { create_controls, show_keys } from "./controls.js";
import { render_details } from "./detail_panel.js";
import { create_find } from "./find.js";
import { open_on_ways, still_shut, way_to } from "./follow.js";
import { create_graph } from "./graph.js";
import { picked } from "./group_box.js";
import { group_tree, numbers_in } from "./groups.js";
import { create_layouter } from "./layout_worker.js";
import { index_trace } from "./model.js";
import { set_up_extras, set_up_head } from "./page.js";
import { render_program } from "./program.js";
import { render_pending, render_step, sentence_of } from "./step_panel.js";
import { open_all, open_at_first, opened, visible_graph } from "./visible.js";

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
    shut: new Set(),
    follow: true,
    path: new Set(),
    pushed: 0,
    reveal: 0,
    revealing: true,
  }; // shut: by the reader, on a way; path: to the output; reveal: a tensor to bring into the window; revealing: the visited
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
  Object.assign(app, { shut: new Set(), path: new Set(), laid: null });
  set_up_head(app.models, index, (other) => change_trace(app, other));
  create_find(part("find"), app.model, (choice) => select(app, choice), {
    selected: () => app.selection?.tensor,
    on_path: (numbers) => mark_path(app, numbers),
  });
  set_up_extras(app.models, index, (choice) => select(app, choice));
}

function change_trace(app, index) {
  Object.assign(app, { tick: 0, selection: null, picks: new Map() });
  take_trace(app, index);
  remember(app, true);
  app.revealing = true;
  update(app);
}

function from_address(app) {
  const read = read_hash(app.models, location.hash);
  if (!app.model || read.trace !== app.trace) take_trace(app, read.trace);
  app.open = read.open ? new Set(read.open.filter((id) => app.tree.by_id.has(id))) : new Set(app.first_open);
  Object.assign(app, {
    tick: read.tick,
    selection: read.selection,
    picks: read.picks,
    revealing: true,
    reveal: read.selection?.tensor,
  });
  update(app);
}

// Writes the state into the address. Steps by key replace each other; anything else, or a pause, makes a new entry.
function remember(app, jump) {
  if (location.protocol === "about:") return; // in the frame of a report, which has no address of its own
  const hash = `#${hash_of(app.model, app)}`;
  if (hash === location.hash || (hash === "#" && !location.hash)) return;
  const now = Date.now();
  const push = jump || now - app.pushed > 2000;
  history[push ? "pushState" : "replaceState"](null, "", hash);
  app.pushed = now;
}

// What the reader looks at: the visited tensor, if the walk is followed, and the chosen one.
function looked_at(app) {
  const { current } = app.model.state_at(app.tick);
  return [app.follow && current, app.selection?.tensor].filter(Boolean);
}

// Draws the moment, after a new layout if other groups than before are open.
function update(app, { moving = false, go_back = () => {} } = {}) {
  const numbers = looked_at(app);
  app.shut = still_shut(app.tree, app.shut, numbers);
  const open = open_on_ways(app.tree, { open: app.open, shut: app.shut, numbers });
  const key = [...open].sort().join();
  if (key !== app.laid) lay_out(app, { open, key, moving, go_back });
  else draw_moment(app, moving);
}

async function lay_out(app, { open, key, moving, go_back }) {
  const { model, tree, laid } = app;
  app.laid = key;
  document.documentElement.dataset.laying = key.length;
  draw_moment(app, moving);
  const visible = visible_graph(model, tree, open);
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
  if (app.laid !== key) return; // a newer one is under way
  if (!placed) {
    app.laid = laid;
    return go_back();
  }
  app.placed = { model, visible, placed, key };
  app.graph.show(app.placed, app.focus, app.as_whole);
  app.revealing ||= !app.focus;
  Object.assign(app, { focus: null, as_whole: false });
  draw_moment(app, moving);
  delete document.documentElement.dataset.laying;
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
    const { selection, picks, pinned, path } = app;
    app.graph.at({ state, selection, picks, pinned, path, moving });
    if (app.placed.key === app.laid) bring_into_window(app, state);
  }
  render_step(part("step"), model, state, on_select);
  render_program(part("program"), model, choice.tensor);
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

function bring_into_window(app, state) {
  if (app.reveal) app.graph.reveal(app.reveal);
  else if (app.revealing) app.graph.reveal(state.current || app.model.trace.outputs[0]);
  Object.assign(app, { reveal: 0, revealing: false });
}

function mark_path(app, numbers) {
  app.path = new Set(numbers);
  draw_moment(app);
}

// The steps. Each returns whether there was one to take.
function walker(app) {
  const to = (tick, moving) => {
    const inside = Math.min(Math.max(tick, 0), app.model.last_tick);
    if (inside === app.tick) return false;
    Object.assign(app, { tick: inside, revealing: app.follow });
    remember(app, false);
    update(app, { moving });
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
  app.revealing = !app.selection && app.follow;
  if (app.reveal) way_to(app.tree, app.reveal).forEach((id) => app.shut.delete(id));
  remember(app, true);
  update(app);
}

// What the boxes do.
function actions(app) {
  const set_open = (open, note) => {
    const before = app.open;
    app.open = open;
    part("note").textContent = note ?? "";
    remember(app, true);
    update(app, { go_back: () => (app.open = before) });
  };
  app.set_open = set_open;
  return {
    select: (number) => select(app, { tensor: number, cell: null, gradient: app.selection?.gradient ?? false }),
    open(id) {
      const { open, closed } = opened(app.model, app.tree, app.open, id, app.pinned);
      Object.assign(app, { reveal: numbers_in(app.tree.by_id.get(id))[0], focus: id });
      app.shut.delete(id);
      set_open(
        open,
        closed ? `Closed ${closed} opened earlier, so that no more than 300 boxes are open. Pin what shall stay.` : "",
      );
    },
    close(id) {
      const open = new Set(app.open);
      open.delete(id);
      app.pinned.delete(id);
      app.shut.add(id);
      app.focus = id;
      set_open(open);
    },
    choose(node, by) {
      app.picks.set(node.run[0].id, picked(node, app.picks, app.model.state_at(app.tick)) + by);
      remember(app, false);
      draw_moment(app);
    },
    pin(id) {
      if (!app.pinned.delete(id)) {
        app.pinned.add(id);
        way_to(app.tree, numbers_in(app.tree.by_id.get(id))[0]).every((each) => app.open.add(each) && each !== id);
      }
      remember(app, true);
      draw_moment(app);
    },
  };
}

function set_up_tools(app) {
  const on = (id, act) => part(id).addEventListener("click", act);
  on("zoom-in", () => app.graph.zoom(app.graph.scale() * 1.25));
  on("zoom-out", () => app.graph.zoom(app.graph.scale() / 1.25));
  on("fit", () => {
    const whole = app.graph.fit();
    part("note").textContent = whole ? "" : "Too large to be read as a whole: this is its part around the visited tensor.";
    if (!whole) app.graph.reveal(app.model.state_at(app.tick).current || app.model.trace.outputs[0]);
  });
  const fold = (open) => {
    Object.assign(app, { as_whole: true, revealing: true, shut: new Set() });
    app.set_open(open);
  };
  on("show-all", () => fold(open_all(app.tree)));
  on("fold-all", () => fold(new Set(app.first_open)));
  on("follow", () => {
    app.follow = part("follow").checked;
    app.revealing = app.follow;
    update(app);
  });
  on("show-keys", show_keys);
  on("cancel", () => app.layouter.cancel());
}

start();
