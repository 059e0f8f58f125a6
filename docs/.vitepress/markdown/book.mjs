// The book's Markdown: sections of formulas, regions, outputs, figures, measured numbers, tests and derivations. Whatever is
// wrong is added to `problems`.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { escaped } from "../../kit/words.mjs";
import { formula_ids } from "../book/chapters.mjs";
import { parse_page } from "../book/pages.mjs";
import { DEPTH, href_of, id_of_heading, the_path } from "../book/path.mjs";
import { excerpt, region, shown_lines } from "../book/sources.mjs";
import { linked, root } from "../book/tree.mjs";
import { excerpt_html, figure_html, moving_html, output_html, region_html } from "./blocks.mjs";
import { check_links } from "./links.mjs";
import { math_rules } from "./math_rules.mjs";
import { glyphs, start_page, to_svg } from "./mathjax.mjs";
import { begin_html, fold_html, mark_read, place_html, steps_html } from "./path.mjs";
import { check_complete, check_derivation, name_cells, rows_of, terms_of } from "./tables.mjs";

const slug = (text) =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");

// The one link or image that is all of a paragraph: { href, alt }, alt of an image alone.
function only_child(tokens, at) {
  if (tokens[at].type !== "paragraph_open" || tokens[at].hidden) return undefined;
  const { children } = tokens[at + 1];
  if (children.length === 1 && children[0].type === "image")
    return { href: children[0].attrGet("src"), alt: children[0].content };
  if (children[0]?.type !== "link_open" || children.at(-1).type !== "link_close") return undefined;
  return children.filter(({ type }) => type === "link_open").length === 1
    ? { href: children[0].attrGet("href") }
    : undefined;
}

// The lines below a formula that say where it is from, and what the reader has to know.
const PROVENANCE = /^(Notes? \d[\d, ]*· |Beyond the notes · |Needs \[)/;

// The site has README.md as index.md.
const file_of = ({ relativePath }) => (relativePath === "index.md" ? "README.md" : relativePath);

class Page {
  constructor(md, state, path, { figures, problems, links, moves }) {
    Object.assign(this, { md, path, figures, problems, links, moves, tokens: state.tokens, Token: state.Token, env: state.env });
    this.name = file_of(state.env);
    this.ids = new Set(formula_ids());
    this.anchors_here = new Set();
  }

  // At the token's line, or at the last that is known: what is inside a table has none.
  complain = (token, message) => this.problems.add(this.name, token?.map ? token.map[0] + 1 : this.line, message);

  html = (content) => Object.assign(new this.Token("html_block", "", 0), { content });

  // The tokens with everything of the book's own put in their places.
  build() {
    this.check_html();
    const result = [];
    for (const section of this.sections()) {
      this.section = section;
      this.line = section.tokens[0]?.map?.[0] + 1;
      this.terms = this.terms_in(section.tokens);
      const inside = this.content(section);
      if (section.id) check_complete(section.id, section.shown, this.complain);
      for (const { name, code } of this.terms) {
        if (code && !section.lit.has(name))
          this.complain(undefined, `${code}, in the table of symbols, is in no code that is shown`);
      }
      const about = [
        section.id && ` class="formula" data-id="${section.id}"`,
        section.place && ` data-path="${section.place.key}"`,
      ];
      const open = about.filter(Boolean).join("");
      if (open) result.push(this.html(`<section${open}>\n`), ...inside, this.html("</section>\n"));
      else result.push(...inside);
    }
    return result;
  }

  // Where a section, by its id, or a page's head is on the path, if it is.
  place_of = (id) => this.path.stations.find((station) => station.page === this.name && station.id === id);

  // The page cut at its headings of level 2.
  sections() {
    const begun = (id, place) => ({ id, place, tokens: [], shown: new Set(), lit: new Set() });
    const sections = [begun(undefined, this.place_of(undefined))];
    this.tokens.forEach((token, at) => {
      if (token.type === "heading_open" && token.tag === "h2" && token.level === 0) {
        const text = this.tokens[at + 1].content.trim();
        const id = this.ids.has(text) ? text : undefined;
        const of_path = id ?? id_of_heading(this.name, text);
        sections.push(begun(id, of_path && this.place_of(of_path)));
      }
      sections.at(-1).tokens.push(token);
    });
    return sections;
  }

  terms_in(tokens) {
    const tables = tokens.flatMap((token, at) => (token.type === "table_open" ? [rows_of(tokens, at)] : []));
    return tables.flatMap((rows) => terms_of(rows, this.complain));
  }

  content({ id, place, tokens }) {
    const result = [];
    let folded = false;
    for (let at = 0; at < tokens.length; ++at) {
      const token = tokens[at];
      if (token.map) this.line = token.map[0] + 1;
      if (place && token.type === "heading_open" && tokens[at + 1].content === DEPTH) {
        result.push(this.html(steps_html(place, this.path.stations)), this.html(this.fold(id)));
        folded = true;
        at += 2;
        continue;
      }
      if (token.type === "heading_open") this.heading(tokens, at, id);
      if (id && token.type === "paragraph_open" && PROVENANCE.test(tokens[at + 1].content)) token.attrJoin("class", "provenance");
      if (token.type === "table_open") this.table(tokens, at, id);
      if (token.type === "math_block") token.meta = { terms: this.terms, line: this.line };
      const instead = this.instead_of_paragraph(tokens, at);
      if (instead) {
        result.push(this.html(instead.html));
        at += instead.taken - 1;
        continue;
      }
      if (token.type === "inline") this.inline(token);
      result.push(token);
      if (place && token.type === "heading_close" && /h[12]/.test(token.tag)) result.push(this.html(place_html(place)));
    }
    if (place) result.push(this.html(folded ? "</details>\n" : steps_html(place, this.path.stations)));
    return result;
  }

  fold(id) {
    this.anchors_here.add(`${id}-in-depth`);
    return fold_html(id, parse_page(this.name).sections.find((section) => section.id === id).parts);
  }

  // "## norm-rms" shows the formula's name with its id, and "## claim-rms-faster" the words of its id; the id is the anchor. A part's
  // anchor is norm-rms-gradient.
  heading(tokens, at, id) {
    const [open, inline] = [tokens[at], tokens[at + 1]];
    if ((open.tag === "h1" || (open.tag === "h2" && !id)) && this.section.place) this.anchor(open, this.section.place.anchor);
    if (open.tag === "h3" && id) this.anchor(open, `${id}-${slug(inline.content)}`);
    const told = inline.content.match(/^(?:claim|convention)-([\w-]+)$/)?.[1].replaceAll("-", " ");
    if (open.tag !== "h2" || !(id || told)) return;
    const name = told ?? tokens[at + 4]?.content?.match(/^\*\*(.+?)\*\*/)?.[1] ?? id;
    id ??= inline.content;
    const text = Object.assign(new this.Token("text", "", 0), { content: name });
    const code = Object.assign(new this.Token("html_inline", "", 0), {
      content: ` <code class="id ignore-header">${id}</code>`,
    });
    this.anchor(open, id);
    inline.children = [text, code];
    inline.content = name;
  }

  // A part that is there twice is for the lint to say; the second gets the anchor that Markdown gives it.
  anchor(heading, id) {
    if (!this.anchors_here.has(id)) heading.attrSet("id", id);
    this.anchors_here.add(id);
  }

  table(tokens, at, id) {
    const rows = rows_of(tokens, at);
    name_cells(tokens[at], rows, this.Token);
    check_derivation(tokens[at], rows, id, this.section.shown, this.complain);
    if (this.name === "path.md") mark_read(tokens[at], rows, this.path.stations, this.Token);
  }

  inline(token) {
    check_links(token, this.Token, this);
    for (const child of token.children) {
      if (child.type === "math_inline") child.meta = { terms: this.terms, line: this.line };
      if (child.type === "text" && child.content.includes("$"))
        this.complain(token, `a $ that begins no formula: ${child.content}`);
      if (child.type === "image" && !child.content.trim()) this.complain(token, "a picture has no alt text");
      if (child.type === "image" && !/^(made\/figures|pictures)\//.test(child.attrGet("src")))
        this.complain(token, "a picture is in made/figures/ or pictures/");
    }
  }

  // What folds and breaks lines is HTML, and all else Markdown.
  check_html() {
    const all = this.tokens.flatMap((token) => [token, ...(token.children ?? []).map((child) => ({ ...child, map: token.map }))]);
    let open = 0;
    for (const token of all.filter(({ type }) => type.startsWith("html_"))) {
      for (const [tag, end, name] of token.content.matchAll(/<(\/?)([a-z][\w-]*)/gi)) {
        if (!["details", "summary", "br"].includes(name)) this.complain(token, `a page has no ${tag}>`);
        if (name === "details") open += end ? -1 : 1;
      }
    }
    if (open !== 0) this.complain(this.tokens[0], "a <details> does not end");
  }

  // { html, taken } for a paragraph that stands for something else: how many tokens it replaces.
  instead_of_paragraph(tokens, at) {
    const only = only_child(tokens, at);
    if (!only) return undefined;
    try {
      if (only.alt !== undefined) return this.figure(only, tokens, at);
      const [path, name] = only.href.split("#");
      const file = linked(this.name, path);
      if (/\.(h|cpp)$/.test(path) && name) return this.region(file, name, tokens[at + 3]);
      if (this.is_excerpt(file, tokens[at + 3])) return this.excerpt(file, tokens[at + 3]);
      if (this.begins(only.href)) return this.begin(tokens[at + 1]);
      if (path.endsWith(".output")) return { html: output_html(file), taken: 3 };
    } catch (error) {
      this.complain(tokens[at], error.message);
      return { html: "", taken: 3 };
    }
    return undefined;
  }

  // A region. A fence that stands below it has the same lines once more, for those who read the Markdown.
  region(file, name, below) {
    const html = this.lights(region_html(file, name, this.terms));
    const again = below?.type === "fence" && below.content === `${shown_lines(region(file, name)).join("\n")}\n`;
    return { html, taken: again ? 4 : 3 };
  }

  lights(html) {
    for (const [, lit] of html.matchAll(/data-term="([^"]*)"/g)) this.section.lit.add(lit);
    return html;
  }

  // Lines of a program, which a section of the path has in a fence below the link to it.
  is_excerpt(file, below) {
    if (!this.section.place || !/^examples\/first\/\w+\.cpp$/.test(file)) return false;
    return below?.type === "fence" && below.info === "cpp";
  }

  excerpt(file, fence) {
    const found = excerpt(file, fence.content.replace(/\n$/, "").split("\n"));
    const { differs } = found;
    if (differs) this.problems.add(this.name, fence.map[0] + differs.at + 2, differs.message);
    return { html: this.lights(excerpt_html(found, this.terms)), taken: 4 };
  }

  // A link to the first section that is a paragraph, on the front page or that of the path.
  begins(href) {
    const [first] = this.path.sections;
    return ["README.md", "path.md"].includes(this.name) && first && href === href_of(first);
  }
  begin = ({ children }) => ({ html: begin_html(this.path.sections[0], children[1].content), taken: 3 });

  // A picture of the book is drawn into the page; a paragraph that begins with "Figure:" is its caption.
  figure({ href, alt }, tokens, at) {
    if (!existsSync(join(root, linked(this.name, href)))) throw new Error(`there is no picture ${href}`);
    if (alt.trim().length < 20) throw new Error(`${href}: the alt text says too little of the picture`);
    const name = href.match(/^made\/figures\/([\w-]+)\.svg$/)?.[1];
    if (href.endsWith(".gif")) return { html: moving_html(href, alt), taken: 3 };
    if (!name) return undefined;
    const drawn = this.figures.get(name);
    if (!drawn) throw new Error(`docs/figures/${name}.mjs does not draw ${href}`);
    const caption = tokens[at + 3]?.type === "paragraph_open" && tokens[at + 4].content.startsWith("Figure: ");
    if (caption) this.inline(tokens[at + 4]);
    const words = caption && this.md.renderer.render([tokens[at + 4]], this.md.options, this.env);
    return { html: figure_html(name, alt, words, drawn, this.moves), taken: caption ? 6 : 3 };
  }
}

export function book(md, context) {
  math_rules(md);
  const path = the_path();
  // The comma or full stop behind a formula stays on its line.
  const after = (token) => {
    const mark = (token?.type === "text" && token.content.match(/^[.,;:?!)]+/)?.[0]) || "";
    if (mark) token.content = token.content.slice(mark.length);
    return mark;
  };
  const math = (display) => (tokens, at, options, env) => {
    try {
      return to_svg(tokens[at].content, {
        display,
        terms: tokens[at].meta?.terms ?? [],
        after: display ? "" : after(tokens[at + 1]),
      });
    } catch (error) {
      context.problems.add(file_of(env), tokens[at].meta?.line, `bad TeX: ${tokens[at].content}: ${error.message}`);
      return `<code>${escaped(tokens[at].content)}</code>`;
    }
  };
  md.renderer.rules.math_inline = math(false);
  md.renderer.rules.math_block = math(true);
  md.renderer.rules.table_open = (tokens, at, options, env, self) => self.renderToken(tokens, at, options); // with its class
  md.core.ruler.before("anchor", "book", (state) => {
    if (state.inlineMode || !state.env?.relativePath) return;
    start_page();
    if (state.env.relativePath.startsWith("reference/")) return; // no formulas
    state.tokens = new Page(md, state, path, context).build();
  });
  const render = md.renderer.render.bind(md.renderer);
  md.renderer.render = (tokens, options, env) => {
    const html = render(tokens, options, env);
    return tokens.some(({ type }) => type === "heading_open") ? html + glyphs() : html; // a caption is no page
  };
  code_fences(md);
  render_once(md, context.links);
}

// VitePress renders each page twice, for the site and for its search. What a page's `env` was told is told to both.
const rendered = new Map();
function render_once(md, links) {
  const render = md.render.bind(md);
  md.render = (source, env = {}) => {
    const key = `${env.relativePath}\n${source}`;
    if (!rendered.has(key)) {
      rendered.set(key, { html: render(source, env), told: { ...env } });
      if (env.relativePath) links.rendered(file_of(env), rendered.get(key).html);
    }
    const { html, told } = rendered.get(key);
    Object.assign(env, { ...told, ...env });
    return html;
  };
}

// ```cpp fails="…": code that must fail with this message.
function code_fences(md) {
  const fence = md.renderer.rules.fence;
  md.renderer.rules.fence = (tokens, at, options, env, self) => {
    const message = tokens[at].info.match(/^cpp fails="(.*)"$/)?.[1];
    tokens[at].info = tokens[at].info.match(/^\w*/)[0];
    const html = fence(tokens, at, options, env, self);
    if (!message) return html;
    return `<div class="fails">${html}<p class="error">It fails: <code>${escaped(message)}</code></p></div>\n`;
  };
}
