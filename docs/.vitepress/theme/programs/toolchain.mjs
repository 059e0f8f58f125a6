// clang and wasm-ld, for node and for the page alike: what makes a reader's program of its text and the library, which is compiled in
// the same way (examples/shared/wasm/CMakeLists.txt).
const flags = [
  ..."clang++ -cc1 -disable-free -triple wasm32-unknown-wasip1 -mrelocation-model static -mframe-pointer=none -ffp-contract=off".split(" "),
  ..."-mconstructor-aliases -target-cpu generic -target-feature +simd128 -fvisibility=hidden -std=c++20 -fdeprecated-macro".split(" "),
  ..."-target-feature +exception-handling -target-feature +multivalue -target-feature +reference-types -mllvm -wasm-enable-eh".split(" "),
  ..."-fcxx-exceptions -fexceptions -exception-model=wasm -ferror-limit 3 -fgnuc-version=4.2.1 -fopenmp-simd".split(" "),
  ..."-DNDEBUG -DFMT_STATIC_THOUSANDS_SEPARATOR=44 -DFMT_USE_LONG_DOUBLE=0 -DFMT_USE_FLOAT128=0 -DFMT_USE_INT128=0".split(" "),
  ..."-D_WASI_EMULATED_GETPID -D_WASI_EMULATED_SIGNAL -disable-llvm-verifier -resource-dir /usr -isysroot /usr -I /".split(" "),
  ...["/usr/include/wasm32-wasip1/c++/v1", "/usr/include/c++/v1", "/usr/include", "/usr/include/wasm32-wasip1", "/include"]
    .flatMap((folder) => ["-internal-isystem", folder]),
];

// Files by their paths, as the tree that a tool sees.
export function tree_of(files) {
  const tree = {};
  for (const [path, contents] of files) {
    const names = path.split("/");
    const folder = names.slice(0, -1).reduce((above, name) => (above[name] ??= {}), tree);
    folder[names.at(-1)] = contents;
  }
  return tree;
}

// { made, said }: the file that the tool has made, and what it has said. `run` is runLLVM. The file is what the tool prints, as to
// write a large one into the tree takes minutes: each 4 kB of it copy all that came before.
export async function tool(run, args, tree) {
  const decoder = new TextDecoder();
  const pieces = [];
  let said = "";
  const hear = (bytes) => {
    if (bytes) said += decoder.decode(bytes, { stream: true });
  };
  const take = (bytes) => {
    if (bytes) pieces.push(bytes.slice());
  };
  try {
    await run([...args, "-o", "-"], tree, { stdout: take, stderr: hear, decodeASCII: false });
    return { made: new Uint8Array(await new Blob(pieces).arrayBuffer()), said };
  } catch (error) {
    return { said: said || `the compiler ran out of memory (${error.message}): a template or macro that goes on for ever?` };
  }
}

// How well it compiles, which has to be the same for a program and its precompiled header. What the header instantiates takes a program
// two thirds less.
const level = ["-O1", "-fpch-instantiate-templates"];

const lines = "-debug-info-kind=line-tables-only"; // of a reader's program, for a walk to find

// { made, said }: the object of a source, with a precompiled header.
export const compile = (run, source, tree, header) =>
  tool(run, [...flags, ...level, lines, "-include-pch", header, "-emit-obj", "-x", "c++", source], tree);

export const precompile = (run, header, tree) =>
  tool(run, [...flags, ...level, "-emit-pch", "-fno-pch-timestamp", "-x", "c++-header", header], tree);

const MOST = 1 << 30; // bytes of memory
const linking = (files) => [
  ..."wasm-ld -m wasm32 -L/usr/lib/wasm32-unknown-wasip1 -L/usr/lib/wasm32-wasip1 --stack-first -z stack-size=1048576".split(" "),
  `--max-memory=${MOST}`,
  ...files,
  ..."-lc++ -lc++abi -lwasi-emulated-getpid -lwasi-emulated-signal -lc".split(" "),
  "/usr/lib/wasm32-unknown-wasip1/libclang_rt.builtins.a",
];

export const link = (run, program, library) =>
  tool(run, linking(["/program.o", "/library.a"]), { "program.o": program, "library.a": library });

// A student's file with the grader, or the grader alone.
const judging = "--no-entry --undefined=judge --export=__wasm_call_ctors --export=__stack_pointer --export=malloc --export=free".split(" ");
export const link_judge = (run, answer, judge, library) =>
  tool(run, linking([...judging, ...(answer ? ["/answer.o"] : []), "/judge.a", "/library.a"]), { "judge.a": judge, "library.a": library,
    ...(answer && { "answer.o": answer }) });
