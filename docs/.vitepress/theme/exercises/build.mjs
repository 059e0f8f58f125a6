// From a student's file to a module: clang and wasm-ld, which run here. It is not optimized, and an index outside of an array ends it.
import { without_warnings } from "../programs/program.mjs";
import { tool } from "../programs/toolchain.mjs";

const cc1 = [
  ..."clang++ -cc1 -triple wasm32-unknown-wasip1 -O0 -mrelocation-model static -mframe-pointer=none".split(" "),
  ..."-ffp-contract=off -mconstructor-aliases -target-cpu generic -fvisibility=hidden -std=c++20 -fdeprecated-macro".split(" "),
  ..."-ferror-limit 1 -disable-llvm-verifier -fgnuc-version=4.2.1 -fsanitize=null,array-bounds -fsanitize-trap=null,array-bounds".split(
    " ",
  ),
  ..."-D_LIBCPP_HARDENING_MODE=_LIBCPP_HARDENING_MODE_FAST -D_LIBCPP_REMOVE_TRANSITIVE_INCLUDES".split(" "),
  ..."-Wall -Wextra -resource-dir /usr -isysroot /usr -I /".split(" "),
  ...["/usr/include/wasm32-wasip1/c++/v1", "/usr/include/c++/v1", "/usr/include", "/usr/include/wasm32-wasip1"]
    .flatMap((folder) => ["-internal-isystem", folder]),
];

const MOST = 64 << 20; // bytes of memory
const link = [
  ..."wasm-ld -m wasm32 -L/usr/lib/wasm32-unknown-wasip1 -L/usr/lib/wasm32-wasip1 /usr/lib/wasm32-wasip1/crt1-reactor.o".split(" "),
  ..."--entry _initialize --stack-first -z stack-size=1048576 --export=__stack_pointer --export-if-defined=fflush /answer.o".split(" "),
  ..."-lc++ -lc++abi -lc /usr/lib/wasm32-unknown-wasip1/libclang_rt.builtins.a".split(" "),
  `--max-memory=${MOST}`,
];

// What a student's file most often includes, precompiled: { made }. `run` is runLLVM, `headers` a tree of files.
export const precompile = (run, headers) =>
  tool(run, [...cc1, ..."-emit-pch -fno-pch-timestamp -x c++-header /examples/exercises/wasm/exercise.h".split(" ")], headers);

// { module }; or { said }, what went wrong, and { undefined }, the name of what is declared and defined nowhere. `header` is precompiled.
export async function build(run, { file, text, driver, headers, header }) {
  const tree = { ...headers, "exercise.pch": header, [file]: text, "driver.cpp": driver };
  const how = "-include-pch /exercise.pch -emit-obj -main-file-name driver.cpp -x c++ /driver.cpp".split(" ");
  const compiled = await tool(run, [...cc1, ...how], tree);
  if (!compiled.made) return { said: without_warnings(compiled.said) };
  const { made, said } = await tool(run, link, { "answer.o": compiled.made });
  return made ? { module: made } : { undefined: said.match(/undefined symbol: (.*)/)?.[1], said };
}
