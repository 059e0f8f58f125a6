// How the book's pages are rendered: by VitePress, for the site and for the checks alike.
import { book } from "./book.mjs";
import { highlight } from "./code.mjs";

export const markdown_options = (context) => ({ highlight, config: (md) => book(md, context) });
