// $…$ and $$…$$ as tokens of their own.

function inline(state, silent) {
  const { src, pos, posMax } = state;
  if (src[pos] !== "$" || src[pos + 1] === "$" || /\s/.test(src[pos + 1] ?? " ")) return false;
  let end = pos + 1;
  while (end < posMax && (src[end] !== "$" || src[end - 1] === "\\")) ++end;
  if (end >= posMax || /\s/.test(src[end - 1]) || /\d/.test(src[end + 1] ?? "")) return false;
  if (!silent) state.push("math_inline", "math", 0).content = src.slice(pos + 1, end);
  state.pos = end + 1;
  return true;
}

function block(state, first, last, silent) {
  const line = (at) => state.src.slice(state.bMarks[at] + state.tShift[at], state.eMarks[at]).trim();
  if (!line(first).startsWith("$$")) return false;
  if (silent) return true;
  const lines = [line(first).slice(2)];
  let at = first;
  while (!lines.at(-1).endsWith("$$") && ++at < last) lines.push(line(at));
  state.line = Math.min(at + 1, last);
  const token = state.push("math_block", "math", 0);
  token.content = lines.join("\n").replace(/\$\$$/, "").trim();
  token.map = [first, state.line];
  return true;
}

export function math_rules(md) {
  md.inline.ruler.before("escape", "math_inline", inline);
  md.block.ruler.before("fence", "math_block", block, { alt: ["paragraph", "reference", "blockquote", "list"] });
}
