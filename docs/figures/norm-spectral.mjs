// The vectors of length 1, and where W / σ₁ sends them.
export const title = "What W / σ₁ makes of the vectors of length 1: an ellipse that touches the circle from inside";
export const results = ["norm-spectral-circle"];
export const narrow = false;

export function draw({ drawing, width, results }) {
  const { u, v, image } = results["norm-spectral-circle"];
  const d = drawing(width, 300, title);
  const unit = 125;
  const [ox, oy] = [width / 2, 150];
  const at = ([x, y]) => [ox + unit * x, oy - unit * y];
  d.circle(ox, oy, unit, { role: "constant", fill: "none", dash: true, width: 1.2 });
  d.path(
    `M${
      image
        .map((p) =>
          at(p)
            .map((z) => z.toFixed(1))
            .join(" ")
        )
        .join("L")
    }Z`,
    { role: "value", width: 2 },
  );
  const arrow = (to, options) => d.arrow(ox, oy, ...at(to), { width: 2.2, head: 10, ...options });
  arrow(v, { role: "parameter", term: "v" });
  arrow(u, { role: "value", term: "u" });
  d.text(...at([1.12 * v[0], 1.08 * v[1]]), "$v$", { role: "parameter", anchor: "start", size: 18, halo: true, term: "v" });
  d.text(...at([1.02 * u[0], 1.14 * u[1]]), "$u$", { role: "value", anchor: "start", size: 18, halo: true, term: "u" });
  d.text(...at([-0.98, 0.72]), "length 1", { role: "soft", size: 14, halo: true });
  return d.text(...at([-0.22, -0.3]), "after $W / \\sigma_1$", { role: "value", size: 14, halo: true });
}
