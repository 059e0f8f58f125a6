// What has a colour in C++, in the pages and where one writes: the names of variables in code.css.
import { tags as t } from "@lezer/highlight";

export const coloured = [
  { name: "comment", tags: [t.comment] },
  { name: "keyword", tags: [t.keyword, t.modifier, t.processingInstruction, t.self, t.typeName, t.standard(t.typeName)] },
  { name: "string", tags: [t.string, t.character] },
  { name: "constant", tags: [t.number, t.bool, t.null] },
  { name: "function", tags: [t.function(t.variableName), t.function(t.propertyName), t.function(t.definition(t.variableName))] },
];
