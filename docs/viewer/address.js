// What one looks at, as the hash of the address: a link to it can be sent, and Back goes back.

// { tick, open: [ids], selection, picks: Map, trace } to "step=3.1&open=m0,m4&at=12&cell=0,1&of=gradient".
export function hash_of(model, { tick, open, first_open, selection, picks, trace }) {
  const parts = [];
  const state = model.state_at(tick);
  if (state.visit >= 0) parts.push(`step=${state.visit + 1}${state.done < state.deliveries ? `.${state.done}` : ""}`);
  if ([...open].sort().join() !== [...first_open].sort().join()) parts.push(`open=${[...open].join()}`);
  if (selection) {
    parts.push(`at=${selection.tensor}`);
    if (selection.cell) parts.push(`cell=${selection.cell.join()}`);
    if (selection.gradient) parts.push("of=gradient");
  }
  if (picks.size > 0) parts.push(`pick=${[...picks].map(([id, i]) => `${id}:${i}`).join()}`);
  if (trace > 0) parts.push(`trace=${trace + 1}`);
  return parts.join("&");
}

// The reverse; what the trace does not have is left out.
export function read_hash(models, hash) {
  const fields = new Map(
    hash
      .replace(/^#/, "")
      .split("&")
      .filter(Boolean)
      .map((part) => part.split(/=(.*)/s).slice(0, 2)),
  );
  const whole = (text) => (/^\d+$/.test(text ?? "") ? Number(text) : undefined);
  const trace = Math.min(Math.max((whole(fields.get("trace")) ?? 1) - 1, 0), models.length - 1);
  const model = models[trace];
  const [visit, done] = (fields.get("step") ?? "").split(".").map(whole);
  const number = whole(fields.get("at"));
  const tensor = model.tensor(number);
  const cell = fields.get("cell")?.split(",").map(whole);
  const fits = tensor && cell?.length === tensor.shape.length && cell.every((i, axis) => i < tensor.shape[axis]);
  return {
    trace,
    tick: tick_of(model, visit, done),
    open: fields.has("open") ? fields.get("open").split(",").filter(Boolean) : null,
    selection: tensor ? { tensor: number, cell: fits ? cell : null, gradient: fields.get("of") === "gradient" } : null,
    picks: new Map(
      (fields.get("pick") ?? "")
        .split(",")
        .filter(Boolean)
        .map((pair) => [pair.split(":")[0], whole(pair.split(":")[1]) ?? 0]),
    ),
  };
}

// The tick of a visit, counted from 1, with all its deliveries made, or `done` of them; 0 before the first.
export function tick_of(model, visit, done) {
  if (!(visit >= 1)) return 0;
  const index = Math.min(visit, model.trace.walk.length) - 1;
  const end = model.start[index + 1] - 1;
  return done === undefined ? end : Math.min(model.start[index] + done, end);
}
