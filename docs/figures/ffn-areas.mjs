// Two matrices of d · 4d beside three of d · 8d/3, drawn to scale: area is parameters.
export const title = "Two matrices or three: the same area";

export function draw({ drawing, width }) {
  const narrow = width < 500;
  const d = narrow ? 36 : 42; // px for d
  const [old, modern] = [4 * d, (8 * d) / 3];
  const left = narrow ? 8 : 12;
  const height = narrow ? 480 : 296;
  const p = drawing(width, height, title);
  const matrix = (x, y, w, h, text, term) => p.box(x, y, w, h, { role: "parameter", text, term, radius: 2 });
  const vector = (x, y, h, text, term) =>
    p.box(x - 4, y, 8, h, { role: "value", fill: "value", radius: 2 }).text(x, y - 12, text, { size: 14, term });

  // 2017
  let [x, middle] = [left + 4, narrow ? 116 : 164];
  const gap = narrow ? 12 : 15;
  p.text(x - 4, 16, "2017", { anchor: "start", weight: 600 });
  vector(x, middle - d / 2, d, "$x$", "x");
  x += 4 + gap;
  matrix(x, middle - old / 2, d, old, "$W_1$", "W_1");
  x += d + gap + 4;
  vector(x, middle - old / 2, old, "$4d$");
  x += 4 + gap;
  matrix(x, middle - d / 2, old, d, "$W_2$", "W_2");
  x += old + gap + 4;
  vector(x, middle - d / 2, d, "$y$", "y");
  p.text(left + 4 + 2 * gap + d + 26, middle + (narrow ? 44 : 56), "2 · d · 4d = 8 d²", {
    anchor: "start",
    role: "soft",
    size: 14,
  });

  // Today
  if (narrow) [x, middle] = [left + 4, 366];
  else x += 44;
  const start = x;
  p.text(x - 4, narrow ? 240 : 16, "Today", { anchor: "start", weight: 600 });
  vector(x, middle - d / 2, d, "$x$", "x");
  x += 4 + gap;
  const apart = 12;
  matrix(x, middle - modern - apart / 2, d, modern, "$W_1$", "W_1");
  matrix(x, middle + apart / 2, d, modern, "$W_3$", "W_3");
  x += d + gap + 4;
  p.box(x - 4, middle - modern - apart / 2, 8, modern, { role: "value", fill: "value", radius: 2 });
  p.box(x - 4, middle + apart / 2, 8, modern, { role: "value", fill: "value", radius: 2 });
  p.arrow(x + 6, middle - modern / 2, x + 4 + gap + 10, middle - 12, { role: "constant" });
  p.arrow(x + 6, middle + modern / 2, x + 4 + gap + 10, middle + 12, { role: "constant" });
  x += 4 + gap + 12;
  p.text(x, middle, "⊙", { size: 26 });
  p.text(x - 16, middle - modern * 0.8, "SiLU", { anchor: "start", role: "soft", size: 13 });
  x += 11 + gap + 4;
  vector(x, middle - modern / 2, modern, "$8d/3$");
  x += 4 + gap;
  matrix(x, middle - d / 2, modern, d, "$W_2$", "W_2");
  x += modern + gap + 4;
  vector(x, middle - d / 2, d, "$y$", "y");
  p.text(x - modern - gap + 6, middle + (narrow ? 70 : 76), "3 · d · 8d/3 = 8 d²", {
    anchor: "start",
    role: "soft",
    size: 14,
  });
  return p;
}
