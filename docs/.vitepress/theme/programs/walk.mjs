// Walk: a backward pass of the reader's program as a page of the viewer, with the program's own names and lines.
import { folder, is_whole } from "./program.mjs";

const pieces = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|\/\/.*|\/\*[^]*?\*\/|[^]/g; // of C++: a string, a comment or a character
const begins_function = /(\)(\s*(const|noexcept|mutable))*|\belse|\bdo|\btry)\s*$/;
const declared = /^\s*(?:const\s+)?(?:Tensor|auto)\b\s*&?\s*(\w+)\s*=[^=]/, declared_too = /^\s*(\w+)\s*=[^=]/;

// The text, and after each declaration in a function what it calls its tensors. Lines keep their numbers.
export function with_names(text) {
  const open = [is_whole(text) ? "outside" : "function"]; // what is open, the innermost last
  let done = "", statement = "", names = [];
  const begin = () => [statement, names] = ["", []];
  for (const [piece] of text.matchAll(pieces)) {
    done += piece;
    if ("({[".includes(piece)) open.push(piece === "{" && begins_function.test(statement) ? "function" : "brackets");
    const of_statement = open.at(-1) === "function" && /[,;{]/.test(piece) || ")}]".includes(piece) && open.pop() === "function";
    if (!of_statement) {
      if (!/^\/[/*]/.test(piece)) statement += piece;
      continue;
    }
    const [, name] = (names.length > 0 ? declared_too : declared).exec(`${statement} `) ?? [];
    if (name && ",;".includes(piece)) names.push(name);
    if (piece === ";") done += names.map((one) => ` ::gradus::inspect::note_name("${one}", ${one});`).join("");
    if (piece === "," && names.length > 0) statement = "";
    else begin();
  }
  return done;
}

// Where the code begins in a module: addresses in it are counted from there, those of a stack from the beginning.
function begin_of_code(module) {
  let at = 8;
  const number = () => {
    let result = 0;
    for (let shift = 0;; shift += 7) {
      const byte = module[at++];
      result |= (byte & 127) << shift;
      if (byte < 128) return result;
    }
  };
  for (;;) {
    const [section, length] = [module[at++], number()];
    if (section === 10) return at;
    at += length;
  }
}

// address → the lines of the program at each of these addresses of a module, the innermost first, as the compiler's own tool finds them.
export async function lines_at(run, module, addresses) {
  const begin = begin_of_code(module);
  const args = addresses.map((address) => `0x${(address - begin).toString(16)}`);
  let said = "";
  const hear = (bytes) => {
    if (bytes) said += new TextDecoder().decode(bytes);
  };
  await run(["llvm-addr2line", "-a", "-i", "-e", "/program.wasm", ...args], { "program.wasm": module }, { stdout: hear });
  const found = said.split(/^0x/m).slice(1).map((one) =>
    [...one.matchAll(new RegExp(`^/${folder}/program\\.cpp:(\\d+)`, "gm"))].map(([, line]) => Number(line))
  );
  return new Map(addresses.map((address, i) => [address, found[i]]));
}

// The viewer's page, in whose trace the program stands, and with each tensor the lines that made it. `stacks`: number → addresses.
export function with_lines(html, program, stacks, lines) {
  return html.replace(/(<script type="application\/json" class="trace">)([^]*?)(?=<\/script>)/, (all, tag, json) => {
    const trace = { ...JSON.parse(json), program };
    for (const tensor of trace.tensors) tensor.lines = (stacks.get(tensor.number) ?? []).flatMap((address) => lines.get(address) ?? []);
    return tag + JSON.stringify(trace).replaceAll("<", "\\u003c");
  });
}
