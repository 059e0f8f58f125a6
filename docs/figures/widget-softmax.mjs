// The softmax cliff: the bars of softmax as it is written, and with the greatest score subtracted, wherever the knobs stand.
export const title = "Softmax as it is written, and with the greatest score subtracted";
export const results = ["widget-softmax"];

export const widget = {
  name: "softmax",
  module: "lab",
  prompts: [
    {
      ask: "All scores get 80 more. What do the bars do?",
      answers: ["The last one grows", "All become equal", "Nothing"],
      right: 2,
      act: "Raise c to 80.",
      such_as: "c=80",
      done: ({ x }) => x.at(-1) - x[0] < 30 && x[0] >= 80,
      then: "A number that is added to all scores multiplies each e^x by the same, and the division takes it out again.",
    },
    {
      ask: "In f32 the greatest number is about e^88.7. What becomes of the greatest bar as written, beyond that?",
      answers: ["It becomes NaN", "It stays", "It becomes 1"],
      right: 0,
      from: "c=80",
      act: "Raise c until the greatest bar as written is no number.",
      such_as: "c=90",
      done: ({ written }) => written.some((p) => p === "NaN"),
      then:
        "First the sum is ∞, and all bars are 0. Then e^x itself is ∞, and ∞/∞ is no number. The bars on the right have not moved: their greatest exponent is 0.",
    },
    {
      ask: "At which greatest score is the cliff with numbers of 16 bits?",
      answers: ["About 11", "About 44", "At the same, about 88"],
      right: 0,
      from: "dtype=f16",
      act: "Raise c, and read the scores below the bars where the last of them is gone.",
      such_as: "c=10&dtype=f16",
      done: ({ written }, { dtype }) => dtype === "f16" && written.some((p) => p === "NaN"),
      then: "f16 ends at 65,504, which is e^11.09. Scores of 11 are common: so no library computes softmax as it is written.",
    },
    {
      ask: "A high temperature: more or less equal bars?",
      answers: ["More equal", "Less equal"],
      right: 0,
      from: "",
      act: "Raise the temperature to 5.",
      such_as: "t=5",
      done: (seen, { t, c }) => t >= 5 && c === 0,
      then: "All scores are divided by it first, so their differences shrink.",
    },
  ],
};

const shown = (p) => (typeof p === "string" ? p : p < 0.001 ? "0.000" : p.toFixed(3));

// One panel of bars, its lower left corner at x, y.
function bars(d, seen, { x, y, width, height, name, role }) {
  d.text(x, y - height - 24, name, { anchor: "start", size: 14, role: "soft" });
  d.line(x, y, x + width, y, { role: "soft", width: 1 });
  const step = width / seen.length;
  seen.forEach((p, i) => {
    const middle = x + (i + 0.5) * step;
    if (typeof p === "string") return d.text(middle, y - 14, `× ${p}`, { role: "wrong", size: 14 });
    const tall = Math.max(p * height, 0.5);
    d.box(middle - step * 0.32, y - tall, step * 0.64, tall, { radius: 0, fill: role, role, width: 1 });
    d.text(middle, y - tall - 10, shown(p), { size: 13 });
  });
}

export function draw({ drawing, width, results: { "widget-softmax": seen } }) {
  const narrow = width < 500;
  const d = drawing(width, narrow ? 420 : 240, title);
  const panel = { width: narrow ? width - 20 : width / 2 - 30, height: 130 };
  const names = (x, y) =>
    seen.x.forEach((score, i) => d.text(x + ((i + 0.5) * panel.width) / seen.x.length, y + 14, String(score), { size: 13, role: "soft" }));
  const [left, right] = narrow ? [{ x: 10, y: 178 }, { x: 10, y: 384 }] : [{ x: 10, y: 192 }, { x: width / 2 + 20, y: 192 }];
  bars(d, seen.written, { ...panel, ...left, name: "as written", role: "value" });
  bars(d, seen.stable, { ...panel, ...right, name: "greatest score subtracted", role: "value" });
  names(left.x, left.y);
  names(right.x, right.y);
  return d;
}
