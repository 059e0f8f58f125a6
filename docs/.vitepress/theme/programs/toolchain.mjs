// clang and wasm-ld, for node and for the page alike: what makes the library, and a reader's program with it.
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

// { files, said }: what the tool has made, and what it has said. `run` is runLLVM.
export async function tool(run, args, tree) {
  const decoder = new TextDecoder();
  let said = "";
  const hear = (bytes) => {
    if (bytes) said += decoder.decode(bytes, { stream: true });
  };
  try {
    return { files: await run(args, tree, { stdout: hear, stderr: hear, decodeASCII: false }), said };
  } catch (error) {
    return { files: {}, said: said || `the compiler ran out of memory (${error.message}): a template or macro that goes on for ever?` };
  }
}

// How well it compiles, and how long that takes; the same for a source as for its precompiled header. What a header instantiates
// takes a program two thirds less.
export const levels = { library: ["-O2", "-Wno-pass-failed", "-vectorize-loops", "-vectorize-slp"],
  program: ["-O1", "-fpch-instantiate-templates"] };

// { made, said }: the object of a source, with or without a precompiled header.
export async function compile(run, level, source, tree, header) {
  const before = header ? ["-include-pch", header] : [];
  const { files, said } = await tool(run, [...flags, ...levels[level], ...before, "-emit-obj", "-o", "/made.o", "-x", "c++", source], tree);
  return { made: files["made.o"], said };
}

export async function precompile(run, level, header, tree) {
  const args = [...flags, ...levels[level], "-emit-pch", "-fno-pch-timestamp", "-o", "/made.pch", "-x", "c++-header", header];
  const { files, said } = await tool(run, args, tree);
  return { made: files["made.pch"], said };
}

const MOST = 1 << 30; // bytes of memory
const linking = [
  ..."wasm-ld -m wasm32 -L/usr/lib/wasm32-unknown-wasip1 -L/usr/lib/wasm32-wasip1 --stack-first -z stack-size=1048576".split(" "),
  ...[`--max-memory=${MOST}`, "-o", "/made.wasm", "/program.o"],
];
const system = [
  ..."-lc++ -lc++abi -lwasi-emulated-getpid -lwasi-emulated-signal -lc".split(" "),
  "/usr/lib/wasm32-unknown-wasip1/libclang_rt.builtins.a",
];

// With those of the library's objects that it needs: no archive, as llvm-ar takes minutes here for what is larger than a few MB.
export async function link(run, program, library) {
  const tree = Object.fromEntries(library.map((object, i) => [`${i}.o`, object]));
  const args = [...linking, "--start-lib", ...library.map((_, i) => `/${i}.o`), "--end-lib", ...system];
  const { files, said } = await tool(run, args, { ...tree, "program.o": program });
  return { made: files["made.wasm"], said };
}

// What else an object, or a precompiled header, depends on.
export const recipe = (level) => JSON.stringify([flags, levels[level]]);
