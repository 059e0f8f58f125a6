// Which layers of known models see a window, and which have no positions: the patterns of the table in ch11.
export const title = "Which of twelve layers see everything, and which rotate, in five known models";
export const results = [];

const LAYERS = 12;
const every = (n) => (layer) => (layer + 1) % n === 0;
const all = () => true;
const MODELS = [
  { name: "Gemma 2", global: every(2) },
  { name: "Gemma 3", global: every(6) },
  { name: "gpt-oss", global: every(2) },
  { name: "Qwen 3", global: all },
  { name: "SmolLM3", global: all, still: every(4) },
];

export function draw({ drawing, width }) {
  const left = 88;
  const cell = Math.min(40, (width - left) / LAYERS);
  const high = 30;
  const row = 44;
  const d = drawing(width, MODELS.length * row + 40, title);
  for (let layer = 0; layer < LAYERS; layer++) d.text(left + (layer + 0.5) * cell, 14, String(layer), { role: "soft", size: 13 });
  MODELS.forEach(({ name, global, still }, m) => {
    const bottom = 26 + m * row + high;
    d.text(left - 10, bottom - high / 2, name, { anchor: "end", size: 14 });
    for (let layer = 0; layer < LAYERS; layer++) {
      const h = global(layer) ? high : high / 3;
      const text = still?.(layer) ? "0" : undefined;
      d.box(left + layer * cell + 2, bottom - h, cell - 4, h, { role: global(layer) ? "value" : "constant", text });
    }
  });
  return d;
}
