// What of a file is mathematics. The rest is left as it is: checks of arguments and their messages, text, sizes of blocks,
// what decides only how work is shared among threads, and what the compiler has to know beforehand.
import { name_of } from "../../docs/.vitepress/reference/parse.mjs";

const NOT_MATHEMATICS = new Set(
  (
    "comment string_literal raw_string_literal char_literal template_argument_list template_parameter_list " +
    "static_assert_declaration enumerator using_declaration alias_declaration type_definition namespace_alias_definition " +
    "optional_parameter_declaration optional_type_parameter_declaration requires_clause noexcept decltype sizeof_expression throw_statement preproc_include preproc_def " +
    "preproc_function_def preproc_call attribute_declaration attribute_specifier throw_specifier lambda_capture_specifier"
  ).split(" "),
);
const TEXT_OF = /^(describe|describe_tree|members|str|name|print|to_string|format|operator<<|parse|mixes_tokens|removes_scale)$/;
const CHECKS = /^(check\w*|require\w*|normalize_ax[ei]s|checked\w*|common_dtype|dimensions|within_memory)$/;
const NOT_CALLED_FOR_VALUES = /^(reserve|format|print|fail|report|emplace|find|at|assert|static_assert|broadcast_shapes)$/;
const SHARES_WORK = /grain|(^|_)cost$|^work$|^share_work$/i;

export const first_parent = (node, type) => {
  for (let at = node.parent; at; at = at.parent) if (type.test(at.type)) return at;
  return undefined;
};

// The last name of what is called: `check` of `gradus::check<ValueError>(…)`, `size` of `x.size(0)`.
export function callee(call) {
  const words = call.childForFieldName("function")?.text.replace(/<[^]*>/, "") ?? "";
  return words.match(/(\w+)\s*$/)?.[1] ?? "";
}

export const is_check = (node) =>
  node.type === "call_expression" && (CHECKS.test(callee(node)) || NOT_CALLED_FOR_VALUES.test(callee(node)));

// Is it a statement that only checks something?
function only_checks(node) {
  if (node.type === "expression_statement") return node.namedChild(0) !== null && is_check(node.namedChild(0));
  if (node.type === "throw_statement") return true;
  if (node.type === "compound_statement") {
    const inner = node.namedChildren.filter(({ type }) => type !== "comment");
    return inner.length > 0 && inner.every(only_checks);
  }
  if (node.type === "if_statement") {
    return only_checks(node.childForFieldName("consequence")) && !node.childForFieldName("alternative");
  }
  if (/^for_(range_)?(statement|loop)$/.test(node.type)) return only_checks(node.childForFieldName("body"));
  return false;
}

// Are all uses of what is declared here in checks, or in declarations of which that is so?
function declared_for_checks(declaration, body, depth = 0) {
  const names = declaration.childrenForFieldName("declarator").map(name_of);
  if (depth > 4 || names.length === 0 || names.some((name) => !name)) return false;
  return names.every((name) => {
    const uses = body
      .descendantsOfType("identifier")
      .filter(
        (use) => use.text === name && (use.startIndex < declaration.startIndex || use.startIndex >= declaration.endIndex),
      );
    return uses.length > 0 && uses.every((use) => is_in_check(use, body, depth + 1));
  });
}

function is_in_check(node, body, depth) {
  for (let at = node; at && at.id !== body.id; at = at.parent) {
    if (is_check(at) || at.type === "throw_statement" || only_checks(at)) return true;
    if (at.type === "declaration") return declared_for_checks(at, body, depth);
  }
  return false;
}

const has_word = (node, word) => node.namedChildren.some((child) => /qualifier|specifier/.test(child.type) && child.text === word);
const FLOATING = /^(double|float|T)$/;

// Is what is declared named in a lambda that captures nothing? There it must be a constant.
function is_named_without_capture(declaration) {
  const name = declaration.childForFieldName("declarator")?.childForFieldName("declarator")?.text;
  return new RegExp(`\\[\\]\\s*\\([^)]*\\)\\s*\\{[^}]*\\b${name}\\b`).test(declaration.parent.text);
}

// A constant that is a floating number inside of a function: its copy can be const.
export const is_floating_constant = (node) =>
  node.type === "declaration" &&
  has_word(node, "constexpr") &&
  FLOATING.test(node.childForFieldName("type")?.text) &&
  first_parent(node, /^compound_statement$/) &&
  !is_named_without_capture(node);

function is_compile_time(node) {
  if (node.type === "function_definition") return has_word(node, "constexpr");
  return node.type === "declaration" && has_word(node, "constexpr") && !is_floating_constant(node);
}

// The position of an argument among those of its call.
const argument_index = (node) => node.parent.namedChildren.filter(({ type }) => type !== "comment").findIndex(({ id }) => id === node.id);

function shares_work(node) {
  if (node.parent?.type === "argument_list" && node.parent.parent.type === "call_expression") {
    const called = callee(node.parent.parent);
    if (called === "parallel_for") return argument_index(node) === 1;
    if (called === "for_each_row") return argument_index(node) === 0;
    if (called === "Scratch" || called === "scratch") return true;
  }
  return (
    node.type === "declaration" &&
    node.childrenForFieldName("declarator").some((each) => SHARES_WORK.test(name_of(each) ?? ""))
  );
}

// Is nothing in here to be changed?
export function left_alone(node) {
  if (NOT_MATHEMATICS.has(node.type) || is_compile_time(node) || is_check(node) || only_checks(node)) return true;
  if (node.type === "function_definition") {
    const name = (name_of(node) ?? "").split("::").at(-1);
    return TEXT_OF.test(name) || CHECKS.test(name) || SHARES_WORK.test(name);
  }
  if (node.type === "if_statement" && /^if\s+constexpr/.test(node.text)) return false;
  if (node.type === "condition_clause" && /^if\s+constexpr/.test(node.parent.text)) return true;
  if (node.type === "field_declaration") return true; // what a field is by default stands in the tests' objects, too
  if (node.parent?.type === "case_statement" && node.parent.childForFieldName("value")?.id === node.id) return true;
  if (/array_declarator$/.test(node.parent?.type ?? "") && node.parent.childForFieldName("size")?.id === node.id)
    return true;
  if (shares_work(node)) return true;
  const body = first_parent(node, /^function_definition$/);
  return node.type === "declaration" && body !== undefined && declared_for_checks(node, body);
}

// A member of a class in a header that is not virtual stands in the tests' objects too, in which nothing can be switched on.
const is_virtual = (node) =>
  has_word(node, "virtual") || node.descendantsOfType("virtual_specifier").length > 0 || has_word(node, "override");
export const is_in_tests_too = (path, node) =>
  path.endsWith(".h") &&
  !/kernel/.test(path) &&
  node.type === "function_definition" &&
  first_parent(node, /^(class|struct)_specifier$/) !== undefined &&
  !is_virtual(node);

// Is it computed while a test runs, not before main?
export function runs(node) {
  for (let at = node.parent; at; at = at.parent) {
    if (at.type === "compound_statement" || at.type === "field_initializer_list") return true;
  }
  return false;
}
