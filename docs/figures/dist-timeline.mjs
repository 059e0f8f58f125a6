// A step on two ranks: backward passes, messages, waiting.
export const title = "What two ranks do when, in a step of two micro-batches each";
export const results = ["ch13"];

const KINDS = [["walk", "backward pass", "value", 0], ["message", "messages", "gradient", 30], ["wait", "waiting", "constant", 0]];

export function draw({ drawing, width, results: { ch13 } }) {
  const { timeline } = ch13.numbers, left = 56, across = width - left - 8, lane = 76;
  const ranks = Object.keys(timeline.walk);
  const last = Math.max(...KINDS.flatMap(([kind]) => ranks.flatMap((rank) => timeline[kind][rank].map(([, end]) => end))));
  const x = (seconds) => left + (across * seconds) / last;
  const d = drawing(width, 66 + lane * ranks.length, title);
  KINDS.forEach(([, name, role], i) => {
    const at = [0, 130, 230][i];
    d.box(at, 4, 14, 14, { fill: role, role, width: 0, radius: 2 });
    d.text(at + 20, 11, name, { anchor: "start", size: 13 });
  });
  ranks.forEach((rank, i) => {
    const y = 36 + lane * i;
    d.text(0, y + 26, `rank ${rank}`, { anchor: "start", size: 14 });
    for (const [kind, , role, below] of KINDS) {
      for (const [begin, end] of timeline[kind][rank]) {
        d.box(x(begin), y + below, Math.max(1.5, x(end) - x(begin) - 1), 24, { fill: role, role, width: 0, radius: 1 });
      }
    }
    d.line(left, y + 63, width - 8, y + 63, { role: "line" });
  });
  const bottom = 50 + lane * ranks.length;
  d.text(left, bottom, "0", { anchor: "start", size: 13, role: "soft" });
  d.text(width - 8, bottom, `${Math.round(1000 * last)} ms`, { anchor: "end", size: 13, role: "soft" });
  return d;
}
