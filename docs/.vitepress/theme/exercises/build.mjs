// From a student's file to a module: clang and wasm-ld, which run here. First with the project's own small standard headers, which
// are read in a tenth of the time; with the whole library where those are not enough.
const cc1 = [
  ..."clang++ -cc1 -triple wasm32-unknown-wasip1 -O0 -emit-obj -mrelocation-model static -mframe-pointer=none".split(" "),
  ..."-ffp-contract=off -mconstructor-aliases -target-cpu generic -fvisibility=hidden -std=c++20 -fdeprecated-macro".split(" "),
  ..."-ferror-limit 1 -disable-llvm-verifier -fgnuc-version=4.2.1 -fsanitize=null,array-bounds -fsanitize-trap=null,array-bounds".split(
    " ",
  ),
  ..."-Wall -Wextra -resource-dir /usr -isysroot /usr -I /".split(" "),
];
const folders = (...all) => all.flatMap((folder) => ["-internal-isystem", folder]);
const c_headers = folders("/usr/include", "/usr/include/wasm32-wasip1");
const small = [...folders("/examples/exercises/wasm/std"), ...c_headers];
const whole = [...folders("/usr/include/wasm32-wasip1/c++/v1", "/usr/include/c++/v1"), ...c_headers];

const MOST = 64 << 20; // bytes of memory
const link = [
  ..."wasm-ld -m wasm32 -L/usr/lib/wasm32-unknown-wasip1 -L/usr/lib/wasm32-wasip1 /usr/lib/wasm32-wasip1/crt1-reactor.o".split(" "),
  ..."--entry _initialize --stack-first -z stack-size=1048576 --export=__stack_pointer --export-if-defined=fflush /answer.o".split(" "),
  ..."-lc++ -lc++abi -lc /usr/lib/wasm32-unknown-wasip1/libclang_rt.builtins.a -o /answer.wasm".split(" "),
  `--max-memory=${MOST}`,
];

// What may be different with the whole library: a name in std, or a header.
const asks_for_more = (said) => /: (fatal )?error: .*(std::|'std'|file not found)|\/wasm\/std\//.test(said);

// Beside an error, what a warning says is of no use.
const without_warnings = (said) => said.replace(/^[^\s].*: warning: .*\n(?:(?![^\s].*: (?:fatal )?(?:error|warning|note): ).*\n)*/gm, "");

// { module }; or { said }, what went wrong, and { undefined }, the name of what is declared and defined nowhere. `run` is runLLVM,
// `headers` a tree of files, and `wait` is told why it takes longer.
export async function build(run, { file, text, driver, headers }, wait = () => {}) {
  const tree = { ...headers, [file]: text, "driver.cpp": driver };
  const compile = (includes) =>
    tool(run, [...cc1, ...includes, ..."-main-file-name driver.cpp -o /answer.o -x c++ /driver.cpp".split(" ")], tree);
  let compiled = await compile(small);
  if (!compiled.files["answer.o"] && asks_for_more(compiled.said)) {
    wait("with the whole standard library");
    compiled = await compile(whole);
  }
  if (!compiled.files["answer.o"]) return { said: without_warnings(compiled.said) };
  const linked = await tool(run, link, { "answer.o": compiled.files["answer.o"] });
  const module = linked.files["answer.wasm"];
  return module ? { module } : { undefined: linked.said.match(/undefined symbol: (.*)/)?.[1], said: linked.said };
}

async function tool(run, args, files) {
  const decoder = new TextDecoder();
  let said = "";
  const hear = (bytes) => {
    if (bytes) said += decoder.decode(bytes, { stream: true });
  };
  try {
    return { files: await run(args, files, { stdout: hear, stderr: hear, decodeASCII: false }), said };
  } catch (error) {
    return { files: {}, said: said || `the compiler ran out of memory (${error.message}): a template or macro that goes on for ever?` };
  }
}
