// Which inputs touch which outputs in a gated unit, with the letters of chapter 3: u the value, a what the gate stands at.
export const title = "Two paths from x to y: by the value and by the gate";
export function draw({ drawing, width }) {
  const d = drawing(width, 230, title);
  const narrow = width < 500;
  const xs = narrow ? [26, 140, 215, 272, 332] : [110, 300, 440, 520, 620];
  const rows = [50, 110, 170];
  const value = 62,
    gate = 158,
    middle = 110;
  rows.forEach((y, i) => {
    const own = { role: i === 1 ? "value" : "constant", opacity: i === 1 ? undefined : 0.5, width: i === 1 ? 2 : 1 };
    d.arrow(xs[0], y, xs[1] - 26, value, { ...own, from: 20, to: 2 });
    d.arrow(xs[0], y, xs[1] - 26, gate, { ...own, from: 20, to: 2 });
  });
  const own = { role: "value", width: 2 };
  d.arrow(xs[1] + 22, value, xs[3], middle, { ...own, from: 4, to: 20 });
  d.arrow(xs[1] + 22, gate, xs[2], gate, { ...own, from: 4, to: 20 });
  d.arrow(xs[2], gate, xs[3], middle, { ...own, from: 18, to: 20 });
  d.arrow(xs[3], middle, xs[4], middle, { ...own, from: 18, to: 20 });
  rows.forEach((y, i) =>
    d.circle(xs[0], y, 18, {
      role: i === 1 ? "value" : "constant",
      width: i === 1 ? 2 : 1.5,
      text: `$x_${i + 1}$`,
      term: "x",
    })
  );
  d.box(xs[1] - 22, value - 20, 44, 40, { role: "parameter", text: "$u$", term: "u" });
  d.box(xs[1] - 22, gate - 20, 44, 40, { role: "parameter", text: "$a$", term: "a" });
  d.circle(xs[2], gate, 18, { role: "constant", text: "$f$" });
  d.text(xs[3], middle, "⊙", { size: 30 });
  d.circle(xs[4], middle, 18, { role: "constant", text: "$y$", term: "y" });
  d.text(xs[1], value - 34, "the value", { role: "soft", size: 14 });
  d.text(xs[1], gate + 34, "the gate", { role: "soft", size: 14 });
  d.text(width / 2, 216, "$x_2$ reaches $y$ on two paths, which add", { role: "soft", size: 14 });
  return d;
}
