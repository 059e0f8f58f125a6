// The rows of a line with its band, from the arrays that a program prints: [{ [x]: 0, median, least, greatest }, …].
export const spread = ({ median, least, greatest }, x) =>
  median.map((value, at) => ({ [x]: at, median: value, least: least[at], greatest: greatest[at] }));
