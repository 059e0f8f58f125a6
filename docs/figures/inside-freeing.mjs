export const title = "A chain of a million tensors loses its last handle: by recursion, and by a list";

export function draw({ drawing, width }) {
  const narrow = width < 500;
  const d = drawing(width, narrow ? 640 : 336, title);

  const recursion = (left, top) => {
    d.text(left, top, "Destructors that call each other", { anchor: "start", size: 15, weight: 600 });
    const floor = top + 292,
      frame = 30,
      w = 190;
    const frames = ["tensor $y$", "its node", "the node's inputs", "the tensor before", "its node", "…"];
    frames.forEach((words, i) => {
      const over = i === frames.length - 1;
      d.box(left, floor - (i + 1) * (frame + 4), w, frame, {
        role: over ? "wrong" : "constant",
        text: words,
        size: 14,
        dash: over,
      });
    });
    d.line(left - 2, floor, left + w + 2, floor, { role: "ink", width: 2 });
    const limit = floor - frames.length * (frame + 4) - 8;
    d.line(left - 2, limit, left + w + 90, limit, { role: "wrong", dash: true });
    d.text(left, limit - 14, "end of the stack: 8 MiB", { anchor: "start", size: 13, role: "wrong" });
    d.arrow(left + w + 18, floor - 2, left + w + 18, limit + 44, { role: "soft" });
    d.text(left + w + 28, floor - 92, "each call", { anchor: "start", size: 13, role: "soft" });
    d.text(left + w + 28, floor - 74, "inside of", { anchor: "start", size: 13, role: "soft" });
    d.text(left + w + 28, floor - 56, "the last", { anchor: "start", size: 13, role: "soft" });
  };
  const list = (left, top) => {
    d.text(left, top, "Gradus: a list and a loop", { anchor: "start", size: 15, weight: 600 });
    const floor = top + 292;
    d.box(left, floor - 34, 190, 30, { role: "constant", text: "while the list is not empty", size: 13 });
    d.line(left - 2, floor, left + 192, floor, { role: "ink", width: 2 });
    d.box(left + 50, floor - 146, 90, 36, { role: "ink", text: "the dead", size: 14 });
    d.arrow(left + 76, floor - 108, left + 76, floor - 36, { role: "value" });
    d.arrow(left + 114, floor - 36, left + 114, floor - 108, { role: "gradient" });
    d.text(left + 66, floor - 72, "one goes", { anchor: "end", size: 13, role: "value" });
    d.text(left + 124, floor - 72, "its input joins", { anchor: "start", size: 13, role: "gradient" });

    const y = top + 64,
      names = ["y", "·", "·", "·", "x"];
    names.forEach((name, i) => {
      const x = left + 18 + i * 62;
      if (i < 4) d.arrow(x, y, x + 62, y, { from: 18, to: 18, dash: i === 0, role: i === 0 ? "hidden" : "constant" });
      const role = ["hidden", "ink", "constant", "constant", "constant"][i];
      d.circle(x, y, 15, {
        role,
        text: name === "·" ? undefined : `$${name}$`,
        text_role: i === 0 ? "soft" : "ink",
        dash: i === 0,
      });
    });
    d.text(left + 18, y + 30, "freed", { size: 13, role: "soft" });
    d.text(left + 80, y + 30, "dead", { size: 13 });
    d.text(left + 204, y + 30, "a million tensors", { size: 13, role: "soft" });
  };
  recursion(narrow ? 20 : 12, 18);
  list(narrow ? 20 : 400, narrow ? 342 : 18);
  return d;
}
