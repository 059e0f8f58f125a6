// Norms of a row: each input reaches its own output, and through r every output.
import { through_statistics } from "./kit/depend.mjs";

export const title = "Every input of a row reaches every output, through r";

export const draw = ({ drawing, width }) =>
  through_statistics(drawing, width, title, {
    statistics: ["r"],
    words: "$x_2$ reaches every $y_i$: directly or through $r$",
  });
