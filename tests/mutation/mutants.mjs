// The mutants of a file: what can be written in the place of a piece of its mathematics, as { start, end, text }.
import { name_of, parse } from "../../docs/.vitepress/reference/parse.mjs";

// What is not computed while a test runs, or only told: types, defaults that the tests compile themselves, messages.
const LEFT_ALONE = new RegExp(
  "^(template_\\w+|static_assert|enumerator|alias|type|using|optional_parameter|field)_(list|declaration|definition)$" +
    "|^(enumerator|preproc_\\w*(include|def|call)|throw_statement|requires_clause|noexcept|sizeof_expression|decltype|\\w*string_literal)$",
);
const CHECKS_OR_TELLS =
  /(^|::)(check\w*|require\w*|normalize_\w+|describe\w*|members|str|name|print|to_string|format|fail|reserve|assert)$/;
const SHARES_WORK = /grain|(^|_)cost$/i;

const field = (node, name) => node.childForFieldName(name);
const callee = (call) => field(call, "function").text.replace(/<[^]*>/, "").match(/\w+$/)?.[0] ?? "";
const name = (node) => name_of(node) ?? "";

const is_left_alone = (node) =>
  LEFT_ALONE.test(node.type) ||
  (node.type === "call_expression" && CHECKS_OR_TELLS.test(callee(node))) ||
  (node.type === "function_definition" && (CHECKS_OR_TELLS.test(name(node)) || SHARES_WORK.test(name(node)))) ||
  (node.type === "declaration" && node.childrenForFieldName("declarator").some((one) => SHARES_WORK.test(name(one)))) ||
  (node.parent?.type === "for_statement" && field(node.parent, "update")?.id === node.id); // mostly an endless loop

const OTHER_SIGN = { "+": "-", "-": "+", "*": "/", "/": "*", "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||",
  "||": "&&", "+=": "-=", "-=": "+=", "*=": "/=", "/=": "*=" };
const OTHER_FUNCTION = { sum: "mean", mean: "sum", max: "min", min: "max", maximum: "minimum", minimum: "maximum", sin: "cos", cos: "sin",
  floor: "ceil", ceil: "floor", row_max: "row_sum", rsqrt: "sqrt" };
const LEFT_OUT = /^(sum_to|sqrt|square|abs|transpose|flip|expand|heads_first|exp|log|tanh)$/;
const IN_ORDER = /^(matmul|sub|div|pow|atan2|outer)$/;
const NO_STEP = /^(push_back|emplace\w*|insert|erase|parallel_for|dispatch\w*|for_\w+|buffer|parameter|child|module|swap|clear)$/;

// For each kind of node, the texts that can stand there.
const faults = {
  binary_expression(node) {
    const [left, sign, right] = ["left", "operator", "right"].map((each) => field(node, each).text);
    if (!OTHER_SIGN[sign] || [left, right].some((side) => side.includes('"'))) return [];
    if (node.parent.type === "for_statement") return [`${left} ${/</.test(sign) ? "+" : "-"} 1 ${sign} ${right}`]; // a step less
    return [`${left} ${OTHER_SIGN[sign]} ${right}`, ...(/[-+*/&|]/.test(sign) ? [left] : []), ...(/[+*&|]/.test(sign) ? [right] : [])];
  },
  unary_expression: (node) => (/^[-!]$/.test(field(node, "operator").text) ? [field(node, "argument").text] : []),
  number_literal({ text }) {
    if (/^\d+$/.test(text)) return [text === "1" ? "0" : `${BigInt(text) + 1n}`];
    return /[.eEp]/.test(text) ? [Number.parseFloat(text) === 0 ? "1.0" : `(${text} * 1.01f)`] : [];
  },
  true: () => ["false"],
  false: () => ["true"],
  call_expression(node) {
    const called = callee(node);
    const given = field(node, "arguments").namedChildren.filter(({ type }) => type !== "comment").map(({ text }) => text);
    if (field(node, "function").type === "field_expression" || given.length === 0) return [];
    const call = (...texts) => `${field(node, "function").text}(${texts.join(", ")})`;
    const [first, second, ...rest] = given;
    return [
      OTHER_FUNCTION[called] && call(...given).replace(called, OTHER_FUNCTION[called]),
      LEFT_OUT.test(called) && first,
      IN_ORDER.test(called) && second && call(second, first, ...rest),
      /^(where|select)$/.test(called) && rest.length === 1 && call(first, rest[0], second),
    ].filter(Boolean);
  },
  assignment_expression(node) {
    const [left, sign, right] = ["left", "operator", "right"].map((each) => field(node, each).text);
    return OTHER_SIGN[sign] ? [`${left} ${OTHER_SIGN[sign]} ${right}`] : [];
  },
  expression_statement(node) {
    const [inner] = node.namedChildren;
    const is_step = /^(assignment|update)_expression$/.test(inner?.type) ||
      (inner?.type === "call_expression" && !NO_STEP.test(callee(inner)));
    return is_step ? [";"] : [];
  },
  condition_clause: (node) => (/^(un|bin)ary/.test(field(node, "value").type) ? [] : [`(!${node.text})`]), // those have their own
};

function mutants_in(node) {
  if (is_left_alone(node)) return [];
  const own = (faults[node.type]?.(node) ?? []).map((text) => ({ start: node.startIndex, end: node.endIndex, text }));
  return [...own, ...node.namedChildren.flatMap(mutants_in)];
}

export const mutants_of = (source) => mutants_in(parse(source));
