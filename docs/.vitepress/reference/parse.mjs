// C++ as a tree of nodes, by tree-sitter.
import { fileURLToPath } from "node:url";
import { Language, Parser } from "web-tree-sitter";

await Parser.init();
const parser = new Parser();
parser.setLanguage(await Language.load(fileURLToPath(import.meta.resolve("tree-sitter-cpp/tree-sitter-cpp.wasm"))));

export const parse = (text) => parser.parse(text).rootNode;

export const is_class = ({ type }) => type === "class_specifier" || type === "struct_specifier";

const NAMES = new Set(
  "identifier field_identifier type_identifier qualified_identifier operator_name destructor_name template_type".split(
    " ",
  ),
);

// The name that a declarator declares: `rms_norm`, `operator+`, `formula::rms_norm`.
export function name_of(node) {
  if (NAMES.has(node.type)) return node.text.replace(/\s+/g, "");
  if (node.type === "operator_cast") return `operator ${node.namedChildren[0].text}`;
  const inner = node.childForFieldName("declarator") ?? node.namedChildren.find(({ type }) => /declarator|operator_/.test(type));
  return inner && name_of(inner);
}
