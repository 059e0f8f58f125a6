// Forward, four squared errors are averaged into one loss; backward, its one gradient is repeated for all four.
export const title = "Four numbers flow into one, one gradient flows back to all four";

const errors = [-1, -3, -5, -7];
const squares = errors.map((e) => e * e);
const share = 1 / errors.length;
const loss = squares.reduce((sum, one) => sum + one, 0) * share;

export function draw({ drawing, width }) {
  const narrow = width < 500;
  const [w, h, step, top] = [narrow ? 92 : 128, 46, 66, 62];
  const [left, middle, right] = narrow ? [49, 177, 309] : [114, 350, 600];
  const d = drawing(width, top + 3 * step + 74, title);
  const y = (k) => top + k * step;
  const centre = y(1.5);
  const gap = w / 2 + 3;
  errors.forEach((_, k) => {
    d.arrow(left + gap, y(k), middle - gap, y(k));
    d.arrow(middle + gap, y(k), right - gap, centre + (k - 1.5) * 9);
  });
  const number = (x, at, value, gradient) => {
    d.box(x - w / 2, at - h / 2, w, h, { role: "constant" });
    d.text(x, at - 11, `→ ${value}`, { role: "value", size: 15 });
    d.text(x, at + 11, `← ${gradient}`, { role: "gradient", size: 15 });
  };
  const signed = (v) => String(v).replace("-", "−");
  errors.forEach((e, k) => {
    number(left, y(k), signed(e), signed(2 * e * share));
    number(middle, y(k), squares[k], share);
  });
  number(right, centre, loss, 1);
  d.text(left, 16, "error $e$", { size: 15, weight: 600 });
  d.text(middle, 16, "$e^2$", { size: 15, weight: 600 });
  d.text(right, centre - h / 2 - 20, "loss", { size: 15, weight: 600 });
  const below = y(3) + h / 2 + 20;
  d.text(middle, below, narrow ? "all the same" : "all get the same", { role: "gradient", size: 14 });
  d.text(left, below, "$2 e$ times ¼", { role: "gradient", size: 14 });
  return d;
}
