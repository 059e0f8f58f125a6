// A line with its band, of the arrays that a program prints.
export const spread = ({ median, least, greatest }) => ({ y: median, low: least, high: greatest });
