// The headers as data: what each says of itself, and its declarations with the comments that belong to them. A comment belongs
// to what stands on its line or directly below it; one that stands alone is a paragraph of its own.
import { dirname } from "node:path";
import { files, read } from "../book/tree.mjs";
import { is_class, name_of, parse } from "./parse.mjs";

const words_of = (comment) => comment.text.replace(/^\/\/ ?/, "");

const BODIES = new Set(["compound_statement", "field_initializer_list", "try_statement", "field_declaration_list"]);
const NOT_ITS_OWN = new Set(["default_method_clause", "delete_method_clause"]);
const DECLARES = new Set(
  (
    "declaration field_declaration function_definition class_specifier struct_specifier enum_specifier alias_declaration " +
    "template_declaration friend_declaration"
  ).split(" "),
);

// What a template, a friend or a field without a name declares.
function inside(node) {
  if (node.type === "template_declaration" || node.type === "friend_declaration") return inside(node.namedChildren.at(-1));
  const type = node.type === "field_declaration" && !node.childForFieldName("declarator") && node.childForFieldName("type");
  return type && (is_class(type) || type.type === "enum_specifier") ? type : node;
}

function names_of(node) {
  const own = inside(node);
  if (is_class(own) || own.type === "enum_specifier" || own.type === "alias_declaration") {
    return [own.childForFieldName("name")?.text.replace(/\s+/g, "")].filter(Boolean);
  }
  return own.childrenForFieldName("declarator").map(name_of).filter(Boolean);
}

// The declaration as written, without the body of a function and without the members of a class.
function code_of(node, source) {
  const own = inside(node);
  const cut = own.namedChildren.find(({ type }) => BODIES.has(type));
  const text = source.slice(node.startIndex, cut?.startIndex ?? node.endIndex).replace(/(\s|\/\/.*\n\s*$)*$/, "");
  const indent = " ".repeat(node.startPosition.column);
  return text.replaceAll(`\n${indent}`, "\n") + (is_class(own) || text.endsWith(";") ? "" : ";");
}

// What is shown only if something is said of it: destructors, assignments, what is defaulted or deleted, and what is
// declared in its class already.
const says_little = (names, node) =>
  /^(?!fmt)\w+::/.test(names[0]) ||
  names.every((name) => name.startsWith("~") || name === "operator=") ||
  (inside(node).namedChildren.some(({ type }) => NOT_ITS_OWN.has(type)) && names[0] !== "Tensor");

// Goes through what stands in a namespace or in a class and collects { text }, { heading } and declarations.
class Scope {
  items = [];
  lead = [];
  constructor(source, path) {
    this.source = source;
    this.path = path; // of the namespaces and classes around it
  }

  flush() {
    if (this.lead.length > 0) this.items.push({ text: this.lead.map(words_of) });
    this.lead = [];
  }

  walk(nodes) {
    let access = this.in_class === "class_specifier" ? "private" : "public";
    for (const node of nodes) {
      if (node.type === "access_specifier") {
        [access] = node.text.match(/\w+/);
        this.flush();
      }
      if (access === "private") continue;
      if (node.type === "comment") this.comment(node);
      else if (node.type === "namespace_definition") this.namespace(node);
      else if (/^preproc_(if|ifdef|else)$/.test(node.type)) this.condition(node);
      else if (DECLARES.has(node.type)) this.declaration(node, access);
    }
    this.flush();
    return this.items;
  }

  comment(node) {
    const { row, column } = node.startPosition;
    const heading = node.text.match(/^\/\/ --- (.*?) -+$/)?.[1];
    const follows = this.trail && row === this.trail.row + 1 && column === this.trail.column;
    if (/^\/\/ (#(end)?region|namespace)\b/.test(node.text)) return;
    if (heading) {
      this.flush();
      this.items.push({ heading });
    } else if (row === this.end || follows) {
      this.trail = { row, column };
      this.last?.trail.push(words_of(node));
      if (this.last) this.last.last = row;
    } else {
      if (this.lead.length > 0 && row > this.lead.at(-1).startPosition.row + 1) this.flush();
      this.lead.push(node);
    }
  }

  // What is said beside an #if is of no declaration.
  condition(node) {
    this.end = node.startPosition.row;
    this.last = undefined;
    this.walk(node.namedChildren);
  }

  namespace(node) {
    this.flush();
    const name = node.childForFieldName("name")?.text ?? "";
    const body = node.childForFieldName("body");
    const path = [...this.path, ...name.split("::")].filter((part) => part && part !== "gradus");
    const scope = new Scope(this.source, path);
    scope.end = body.startPosition.row;
    this.items.push(...scope.walk(body.namedChildren));
    this.last = this.trail = undefined;
  }

  declaration(node, access) {
    const first = node.startPosition.row;
    if (this.lead.length > 0 && this.lead.at(-1).startPosition.row + 1 !== first) this.flush();
    const names = names_of(node);
    const own = inside(node);
    const body = is_class(own) && own.childForFieldName("body");
    const commented = this.lead.length > 0;
    const joined = !commented && this.last !== undefined && this.last.last + 1 === first && !this.last.members;
    const lead = this.lead.map(words_of);
    this.lead = [];
    this.trail = undefined;
    this.end = node.endPosition.row;
    this.last = undefined;
    if ((is_class(own) && !body) || names.length === 0) return;
    const needs_words = !commented && says_little(names, node);
    const only_data = body && body.namedChildren.every(is_data);
    const qualified = names.map((name) => [...this.path, name].join("::"));
    this.last = { names: qualified, lead, trail: [], access, joined, needs_words, line: first + 1, last: this.end };
    if (only_data) this.last.code = whole(node, this.source);
    else this.last.code = code_of(node, this.source);
    if (body && !only_data) this.last.members = members_of(own, body, this.source, qualified[0]);
    this.items.push(this.last);
  }
}

// A comment, or a field that is no function.
const is_data = (node) =>
  node.type === "comment" ||
  (node.type === "field_declaration" && node.childForFieldName("declarator")?.type !== "function_declarator");

const whole = (node, source) => {
  const indent = " ".repeat(node.startPosition.column);
  return source.slice(node.startIndex, node.endIndex).replaceAll(`\n${indent}`, "\n").replace(/;?$/, ";");
};

function members_of(own, body, source, name) {
  const scope = new Scope(source, [name]);
  scope.in_class = own.type;
  scope.end = body.startPosition.row;
  return scope.walk(body.namedChildren);
}

// Entries that stand together without an empty line between are one, with the comment above the first.
function grouped(items) {
  const groups = [];
  for (const item of items.filter(({ needs_words, trail }) => !needs_words || trail.length > 0)) {
    const members = item.members && grouped(item.members);
    if (item.joined && groups.at(-1)?.entries) groups.at(-1).entries.push({ ...item, members });
    else groups.push(item.names ? { entries: [{ ...item, members }] } : item);
  }
  return groups;
}

function header(path) {
  const source = read(path);
  const root = parse(source);
  const head = [];
  for (const node of root.namedChildren) {
    if (node.type !== "comment" || node.startPosition.row !== head.length) break;
    head.push(words_of(node));
  }
  const body = root.namedChildren.slice(head.length);
  return { path, folder: dirname(path), head, groups: grouped(new Scope(source, []).walk(body)) };
}

export const headers = ["core", "nn", "optim"].flatMap((floor) => files(floor, /\.h$/)).map(header);
