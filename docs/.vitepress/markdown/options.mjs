// How the book's pages are rendered: by VitePress, for the site and for the checks alike.
import { createCssVariablesTheme } from "shiki";
import { book } from "./book.mjs";

// The colours of code are variables of the style sheet, one set for light and one for dark.
const theme = createCssVariablesTheme({ name: "css-variables", variablePrefix: "--shiki-", fontStyle: true });

export const markdown_options = (context) => ({ theme, config: (md) => book(md, context) });
