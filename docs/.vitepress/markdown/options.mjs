// How the book's pages are rendered: by VitePress, for the site and for the checks alike.
import { book } from "./book.mjs";
import { code_theme } from "./code_theme.mjs";

export const markdown_options = (context) => ({ theme: code_theme, config: (md) => book(md, context) });
