// A matrix product: a number of a reaches a row of y, a number of b reaches a column.
import { cells, product } from "./kit/product.mjs";

export const title = "y = a b: one number of a reaches one row of y, one number of b reaches one column";

export const draw = ({ drawing, width }) =>
  product(drawing(width, 300, title), {
    left: cells("a", 2, 3),
    right: cells("b", 3, 3),
    result: cells("y", 2, 3),
    terms: { left: "a", right: "b", result: "y" },
    row: 1,
    inner: 2,
    column: 0,
    words: ["$a_{23}$ reaches row 2 of $y$ (filled)", "$b_{31}$ reaches column 1 of $y$ (framed)"],
  });
