// Norms with two statistics of a row.
import { through_statistics } from "./kit/depend.mjs";

export const title = "Every input of a row reaches every output, through the mean and through the standard deviation";

export const draw = ({ drawing, width }) =>
  through_statistics(drawing, width, title, {
    statistics: ["\\mu", "\\sigma"],
    words: "$x_2$ reaches every $y_i$ through $\\mu$ and through $\\sigma$",
  });
