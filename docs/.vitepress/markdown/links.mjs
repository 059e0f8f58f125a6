// The links of a page: to tests by their title, to source, to numbers that were measured, to other sections.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { escaped } from "../../kit/words.mjs";
import { in_the_form_of, value_at } from "../book/results.mjs";
import { regions, tests } from "../book/sources.mjs";
import { linked, root } from "../book/tree.mjs";
import { source_link } from "./html.mjs";

const html = (Token, content) => Object.assign(new Token("html_inline", "", 0), { content });

const text_of = (tokens) => tokens.map(({ type, content }) => (type === "softbreak" ? " " : content)).join("");

// A number as the results have it, in the form in which the page shows it.
function measured(href, text) {
  if (!href.includes("#")) throw new Error(`${href} names no number: made/results/….json#path`);
  const value = in_the_form_of(text, value_at(href));
  if (value !== text) throw new Error(`${href} is ${value}, not ${text}`);
  return `<span title="${escaped(href)}">${value}</span>`;
}

const outside = (path) => path.startsWith("..") || path.startsWith("/") || /^(build|runs)\//.test(path);

function to_source(path, hash, text) {
  if (outside(path)) throw new Error(`${path} is no file of the project`);
  if (!existsSync(join(root, path))) throw new Error(`there is no ${path}`);
  if (path.startsWith("tests/") && path.endsWith(".cpp") && !/^`/.test(text)) return to_test(path, text);
  const shown = text.startsWith("`") ? `<code>${escaped(text.slice(1, -1))}</code>` : escaped(text);
  return source_link(path, shown, hash && !path.endsWith(".md") && region_line(path, hash));
}

function region_line(path, name) {
  const place = regions()
    .get(name)
    ?.find((other) => other.path === path);
  if (!place) throw new Error(`there is no region ${name} in ${path}`);
  return place.first;
}

function to_test(path, title) {
  const test = tests().get(title);
  if (!test) throw new Error(`there is no test "${title}"`);
  if (test.path !== path) throw new Error(`the test "${title}" is in ${test.path}, not in ${path}`);
  return `<span class="test">${source_link(path, escaped(title), test.line)}</span>`;
}

// The HTML that stands for a link; undefined: the link stays as it is.
function replaced(page, href, text, raw) {
  if (href.startsWith("made/results/")) return measured(href, text);
  if (!text.trim()) throw new Error(`the link to ${href} has no words`);
  if (/^[a-z]+:/.test(href) || href.startsWith("#") || /^[\w-]+\.md(#|$)/.test(href)) return undefined;
  if (/^[A-Z]|^\.\/|^\//.test(href)) throw new Error(`write the link ${href} from this folder, without ./ or /`);
  const [path, hash] = href.split("#");
  return to_source(linked(page, path), hash, raw);
}

// The links from page to page, and the ids in the HTML of each page that is rendered: they are compared when all pages are known.
export class Links {
  all = [];
  ids = new Map();

  add(page, line, href) {
    this.all.push({ page, line, href });
  }

  rendered(page, html) {
    this.ids.set(page, new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)));
  }

  // Each leads to one of these pages, and into what it has.
  check(pages, problems) {
    for (const { page, line, href } of this.all) {
      const [path, anchor] = href.split("#");
      const target = path || page;
      const ids = this.ids.get(target);
      if (!pages.has(target)) problems.add(page, line, `${href}: there is no page ${path}`);
      else if (anchor && ids && !ids.has(anchor)) problems.add(page, line, `${href}: the page has no such section`);
    }
  }
}

// Goes through the links of an inline token of a page.
export function check_links(inline, Token, { name: page, line, complain, links }) {
  const children = [];
  for (let at = 0; at < inline.children.length; ++at) {
    const open = inline.children[at];
    const close = open.type === "link_open" ? inline.children.findIndex((t, i) => i > at && t.type === "link_close") : -1;
    if (close < 0) {
      children.push(open);
      continue;
    }
    const inside = inline.children.slice(at + 1, close);
    const href = decodeURIComponent(open.attrGet("href"));
    try {
      const raw = inside.length === 1 && inside[0].type === "code_inline" ? `\`${inside[0].content}\`` : text_of(inside);
      const content = replaced(page, href, text_of(inside), raw);
      children.push(...(content === undefined ? inline.children.slice(at, close + 1) : [html(Token, content)]));
      if (content === undefined && !/^[a-z]+:/.test(href)) links.add(page, line, href);
    } catch (error) {
      complain(inline, error.message);
    }
    at = close;
  }
  inline.children = children;
}
