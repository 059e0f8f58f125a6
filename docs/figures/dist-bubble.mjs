// Two schedules of a pipeline: who works when, and who waits.
export const title = "Four stages and eight micro-batches: all forward first, and one forward, one backward";
export const results = ["ch13"];

const ROLES = { F: "value", B: "gradient", ".": "paper" };

export function draw({ drawing, width, results: { ch13 } }) {
  const { diaries } = ch13.numbers, left = 54;
  const cell = Math.floor((width - left - 2) / diaries.all_forward[0].length);
  const d = drawing(width, 2 * (4 * 26 + 34) + 8, title);
  [["all_forward", "all forward, then all backward"], ["one_by_one", "one forward, one backward"]].forEach(([key, name], k) => {
    const top = 8 + k * (4 * 26 + 34);
    d.text(left, top + 6, name, { anchor: "start", size: 14 });
    diaries[key].forEach((diary, rank) => {
      const y = top + 22 + rank * 26;
      d.text(0, y + 11, `rank ${rank}`, { anchor: "start", size: 13 });
      [...diary].forEach((what, i) => {
        d.box(left + i * cell, y, cell - 1, 22, { fill: ROLES[what], role: what === "." ? "line" : ROLES[what], width: 1, radius: 1 });
      });
    });
  });
  return d;
}
