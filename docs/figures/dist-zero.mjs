// What one of four ranks holds: all, and under two stages of ZeRO.
export const title = "Kilobytes of parameters, gradients and moments on one of four ranks";
export const results = ["ch13"];

const STAGES = [["stage_0", "all on each"], ["stage_1", "ZeRO 1"], ["stage_3", "ZeRO 3"]];
const KINDS = [["parameters", "parameter"], ["gradients", "gradient"], ["moments", "f3"]];

export function draw({ drawing, width, results: { ch13 } }) {
  const { zero } = ch13.numbers, left = 92, right = 62;
  const most = zero.stage_0.reduce((a, b) => a + b);
  const x = (bytes) => ((width - left - right) * bytes) / most;
  const d = drawing(width, 36 + 44 * STAGES.length, title);
  KINDS.forEach(([name, role], i) => {
    d.box(i * 108, 4, 14, 14, { fill: role, role, width: 0, radius: 2 });
    d.text(i * 108 + 20, 11, name, { anchor: "start", size: 13 });
  });
  STAGES.forEach(([key, name], k) => {
    const y = 34 + 44 * k;
    let begin = 0;
    d.text(0, y + 16, name, { anchor: "start", size: 14 });
    zero[key].forEach((bytes, i) => {
      d.box(left + x(begin), y, x(bytes) - 1, 32, { fill: KINDS[i][1], role: KINDS[i][1], width: 0, radius: 1 });
      begin += bytes;
    });
    d.text(left + x(begin) + 6, y + 16, `${Math.round(begin / 1000)} kB`, { anchor: "start", size: 13 });
  });
  return d;
}
