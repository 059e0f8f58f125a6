// The small faults: for each kind of node, what can be written in its place. Each is { fault, text }: the kind of the fault,
// and the text that the node's is replaced by.
import { callee, first_parent } from "./scope.mjs";

const OTHER_SIGN = {
  "+": "-",
  "-": "+",
  "*": "/",
  "/": "*",
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "==": "!=",
  "!=": "==",
  "&&": "||",
  "||": "&&",
};
const COMMUTES = new Set(["+", "*", "==", "!=", "&&", "||"]);

const is_text = (node) => /string_literal|concatenated_string/.test(node.type) || /^".*"$|fmt::|std::string|\bname\b|str\(/.test(node.text);
const is_number = (node) => node.type === "number_literal";
const parts_of = (node) => ["left", "operator", "right"].map((field) => node.childForFieldName(field));

// The last step of a loop `for (…; i < n; i += step)` left out; one step too many would be out of bounds, which is the
// sanitizers' to see.
function shorter_loop(node, left, sign, right) {
  const loop = node.parent;
  const update = loop.childForFieldName("update");
  const step = update?.type === "assignment_expression" ? `(${update.childForFieldName("right").text})` : "1";
  if (/^</.test(sign)) return [{ fault: "loop", text: `${left} + ${step} ${sign} ${right}` }];
  if (/^>/.test(sign)) return [{ fault: "loop", text: `${left} - ${step} ${sign} ${right}` }];
  return [];
}

const is_of_loop = (node, field) => node.parent?.type === "for_statement" && node.parent.childForFieldName(field)?.id === node.id;

// Is the node in a loop's update, the i += step of for (…; i < n; i += step)? There a fault mostly makes an endless loop.
const is_in_update = (node) => {
  for (let at = node; at.parent; at = at.parent) if (is_of_loop(at, "update")) return true;
  return false;
};

function of_binary(node) {
  const [left, { text: sign }, right] = parts_of(node);
  const other = OTHER_SIGN[sign];
  if (!other || is_text(left) || is_text(right)) return [];
  if (is_of_loop(node, "condition")) return shorter_loop(node, left.text, sign, right.text);
  const found = [{ fault: "sign", text: `${left.text} ${other} ${right.text}` }];
  if ("+-*/".includes(sign)) {
    found.push({ fault: "term", text: left.text });
    if (sign !== "/") found.push({ fault: "term", text: right.text });
    if (!COMMUTES.has(sign)) found.push({ fault: "swap", text: `(${right.text}) ${sign} (${left.text})` });
    if (sign === "+" && /eps/i.test(right.text)) found.push(...epsilon_moved_in(left, right));
  } else if (sign === "&&" || sign === "||") {
    found.push({ fault: "term", text: left.text }, { fault: "term", text: right.text });
  }
  return found;
}

// √v + ε → √(v + ε); the way back is in of_call.
const ROOT = /^(std::|xsimd::)?sqrt$/;
function epsilon_moved_in(left, right) {
  if (left.type !== "call_expression" || !ROOT.test(left.childForFieldName("function").text)) return [];
  const [under] = left.childForFieldName("arguments").namedChildren;
  return [{ fault: "epsilon", text: `${left.childForFieldName("function").text}(${under.text} + ${right.text})` }];
}

function of_unary(node) {
  const sign = node.childForFieldName("operator").text;
  const argument = node.childForFieldName("argument");
  if (sign !== "-" && sign !== "!") return [];
  if (sign === "-" && is_number(argument) && /^\d+$/.test(argument.text)) {
    return [argument.text, `-${BigInt(argument.text) + 1n}`].map((text) => ({ fault: "constant", text }));
  }
  // As an optional, `x` would make one of `!x` beside it, too, which has a value whatever that is.
  return [{ fault: "sign", text: sign === "!" ? `bool(${argument.text})` : argument.text }];
}

function of_number(node) {
  if (node.parent.type === "unary_expression" && /^\d+$/.test(node.text)) return [];
  const plain = node.text.replaceAll("'", "");
  if (/^\d+$/.test(plain)) {
    const index = /subscript|argument_list/.test(node.parent.type) && first_parent(node, /subscript_expression|call_expression/);
    const is_index = index && (index.type === "subscript_expression" || /^(input|needs|shape)$/.test(callee(index)));
    const one_less = plain !== "0" || (!is_index && !first_parent(node, /^(for_statement|init_declarator)$/));
    const value = BigInt(plain);
    return [value + 1n, ...(one_less ? [value - 1n] : [])].map((other) => ({
      fault: "constant",
      text: `${other < 0 ? `(${other})` : other}`,
    }));
  }
  if (/^0x.*p|[.eE]/.test(plain)) {
    const value = Number.parseFloat(plain);
    const suffix = /[fF]$/.test(plain) && !/^0x/.test(plain) ? "f" : "";
    if (value === 0 && !/^0x/.test(plain)) return [{ fault: "constant", text: `1.0${suffix}` }];
    const factor = value < 1e-3 && !/^0x/.test(plain) ? "10.0" : "1.01";
    return [{ fault: "constant", text: `${node.text} * ${factor}${suffix}` }];
  }
  return [];
}

const OTHER_FUNCTION = {
  sum: "mean",
  mean: "sum",
  max: "min",
  min: "max",
  maximum: "minimum",
  minimum: "maximum",
  sin: "cos",
  cos: "sin",
  floor: "ceil",
  ceil: "floor",
  row_max: "row_sum",
  rsqrt: "sqrt",
};
const LEFT_OUT = /^(sum_to|sqrt|square|abs|transpose|flip|expand|heads_first|exp|log|tanh|logical_not)$/;
const NOT_COMMUTATIVE = /^(matmul|sub|div|pow|atan2|outer)$/;

function of_call(node) {
  const name = callee(node);
  const called = node.childForFieldName("function").text;
  const given = node.childForFieldName("arguments").namedChildren.filter(({ type }) => type !== "comment");
  const call = (texts, to = called) => `${to}(${texts.join(", ")})`;
  const texts = given.map(({ text }) => text);
  const is_method = node.childForFieldName("function").type === "field_expression";
  const found = [];
  if (!is_method && OTHER_FUNCTION[name]) {
    found.push({
      fault: "function",
      text: call(texts, called.replace(new RegExp(`\\b${name}\\b`), OTHER_FUNCTION[name])),
    });
  }
  if (!is_method && LEFT_OUT.test(name) && given.length > 0) found.push({ fault: "left out", text: texts[0] });
  if (!is_method && NOT_COMMUTATIVE.test(name) && given.length >= 2) {
    found.push({ fault: "swap", text: call([texts[1], texts[0], ...texts.slice(2)]) });
  }
  if (!is_method && /^(where|select)$/.test(name) && given.length === 3) {
    found.push({ fault: "swap", text: call([texts[0], texts[2], texts[1]]) });
  }
  const [under] = given;
  if (ROOT.test(called) && given.length === 1 && under.type === "binary_expression") {
    const [left, sign, right] = parts_of(under);
    if (sign.text === "+" && /eps/i.test(right.text))
      found.push({ fault: "epsilon", text: `${called}(${left.text}) + ${right.text}` });
  }
  return found;
}

const OTHER_ASSIGNMENTS = { "+=": ["-=", "="], "-=": ["+="], "*=": ["/=", "="], "/=": ["*="] };

function of_assignment(node) {
  const [left, { text: sign }, right] = parts_of(node);
  return (OTHER_ASSIGNMENTS[sign] ?? []).map((other) => ({
    fault: "sign",
    text: `${left.text} ${other} ${right.text}`,
  }));
}

// if (x) → if (!(x)); a comparison or a negation is turned round by itself.
function of_condition(node) {
  const negated = node.type === "binary_expression" && /^[=!]=$/.test(node.childForFieldName("operator").text);
  if (negated || (node.type === "unary_expression" && node.childForFieldName("operator").text === "!")) return [];
  return [{ fault: "condition", text: `!(${node.text})` }];
}

const NO_STEP_OF_ITS_OWN =
  /^(push_back|emplace_back|emplace|insert|reserve|parallel_for|dispatch\w*|for_rows|for_each_\w+|for_vectors|erase|buffer|parameter|child|module|swap|set_library_threads|end|begin|clear)$/;

// A step that is left out, as a statement.
function of_statement(node) {
  const inner = node.namedChild(0);
  if (!inner || is_in_update(node)) return [];
  if (inner.type === "assignment_expression" || inner.type === "update_expression")
    return [{ fault: "step", text: "" }];
  return inner.type === "call_expression" && !NO_STEP_OF_ITS_OWN.test(callee(inner))
    ? [{ fault: "step", text: "" }]
    : [];
}

const is_condition = ({ parent, id }) =>
  (parent.type === "condition_clause" &&
    parent.parent.type === "if_statement" &&
    parent.childForFieldName("value")?.id === id) ||
  (parent.type === "conditional_expression" && parent.childForFieldName("condition")?.id === id);

const BY_TYPE = {
  binary_expression: of_binary,
  unary_expression: of_unary,
  number_literal: of_number,
  call_expression: of_call,
  assignment_expression: of_assignment,
  expression_statement: of_statement,
  true: () => [{ fault: "option", text: "false" }],
  false: () => [{ fault: "option", text: "true" }],
};

export function faults_of(node) {
  if (is_in_update(node)) return [];
  const found = [...(BY_TYPE[node.type]?.(node) ?? []), ...(is_condition(node) ? of_condition(node) : [])];
  return found.filter(({ text }, i) => text !== node.text && found.findIndex((other) => other.text === text) === i);
}
