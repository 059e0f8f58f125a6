// The slopes of 12 heads: by the text, and by the authors' code, which fills the gaps of 8 heads with slopes of 16.
export const title = "The slopes of 12 heads, by the text and by the authors' code";
export const results = ["pos-alibi-reach"];

export function draw({ drawing, width, results }) {
  const { text, code } = results["pos-alibi-reach"]["slopes of 12"];
  const narrow = width < 500;
  const d = drawing(width, 190, title);
  const left = narrow ? 62 : 150;
  const right = width - (narrow ? 16 : 40);
  const at = (m) => left + ((right - left) * (Math.log2(m) + 8.4)) / 8.8;
  const rows = [
    { y: 40, name: narrow ? "text" : "the text" },
    { y: 104, name: narrow ? "code" : "the authors' code" },
  ];
  for (let e = -8; e <= 0; e += narrow ? 2 : 1) {
    const x = at(2 ** e);
    d.line(x, 18, x, 132, { role: "line", width: 1 });
    d.text(x, 148, e === 0 ? "1" : `1/${2 ** -e}`, { role: "soft", size: 13 });
  }
  for (const { y, name } of rows) {
    d.line(left - 8, y, right, y, { role: "line", width: 1 });
    d.text(left - 16, y, name, { anchor: "end", size: 14 });
  }
  const radius = narrow ? 8 : 11;
  const dots = (slopes, y, role_of) =>
    slopes.forEach((m, h) =>
      d.circle(at(m), narrow && role_of(h) === "gradient" ? y + 19 : y, radius, {
        role: role_of(h),
        text: `${h + 1}`,
        size: narrow ? 11 : 13,
      })
    );
  dots(text, rows[0].y, () => "constant");
  dots(code, rows[1].y, (h) => (h < 8 ? "value" : "gradient"));
  return d.text((left + right) / 2, 174, "slope m; in the circles the number of the head", { role: "soft", size: 13 });
}
