// Puts the compiler of what is written in the page, from node_modules, where the page finds it: node compiler.mjs FROM TO. What is
// large is packed; of the headers and libraries, what a reader's file can need.
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const c_header = /^include\/(__float|__std|std|wasm_simd128|float|limits|iso646|inttypes|tgmath|varargs)[^/]*\.h$/;
const libraries =
  /^lib\/(wasm32-wasip1\/(libc|libc\+\+|libc\+\+abi|libwasi-emulated-(getpid|signal))\.a|wasm32-wasip1\/crt1-reactor\.o|wasm32-unknown-wasip1\/libclang_rt\.builtins\.a)$/;
const wanted = (name) =>
  name.endsWith("/") ?
    /^(include|lib)\//.test(name) && !name.includes("__cxx03") :
    c_header.test(name) || libraries.test(name) || (/^include\/(wasm32-wasip1|c\+\+)\//.test(name) && !name.includes("__cxx03"));

// The entries of a tar that are wanted, as they are.
function pruned(tar) {
  const text = (at, length) => tar.toString("latin1", at, at + length).replace(/\0.*$/s, "");
  const kept = [];
  for (let at = 0; at + 512 <= tar.length && tar[at] !== 0;) {
    const bytes = parseInt(text(at + 124, 12), 8), end = at + 512 + Math.ceil(bytes / 512) * 512;
    const name = text(at, 100) + (text(at + 156, 1) === "5" && !text(at, 100).endsWith("/") ? "/" : "");
    if (wanted(name)) kept.push(tar.subarray(at, end));
    at = end;
  }
  return Buffer.concat([...kept, Buffer.alloc(1024)]);
}

const notice = (version) =>
  `What is in this folder is @yowasp/clang ${version}, https://www.npmjs.com/package/@yowasp/clang (ISC license), in parts.
clang, lld, libc++, libc++abi, compiler-rt: the LLVM Project, https://llvm.org (Apache License 2.0 with LLVM Exceptions).
wasi-libc: https://github.com/WebAssembly/wasi-libc (Apache License 2.0 with LLVM Exceptions, Apache License 2.0, MIT).
`;

const [from, to] = process.argv.slice(2);
const { version } = JSON.parse(readFileSync(join(from, "package.json")));
const chosen = createHash("sha256").update(`${c_header} ${libraries}`).digest("hex").slice(0, 8);
const made = join(to, "version"), as_packed = `${version}-${chosen}`;
if (!existsSync(made) || readFileSync(made, "utf8") !== as_packed) {
  rmSync(to, { recursive: true, force: true });
  mkdirSync(to, { recursive: true });
  const gen = (name) => join(from, "gen", name);
  for (const name of ["bundle.js", "llvm.core2.wasm", "llvm.core3.wasm", "llvm.core4.wasm"]) copyFileSync(gen(name), join(to, name));
  const pack = (name, bytes) => writeFileSync(join(to, `${name}.gz`), gzipSync(bytes, { level: 9 }));
  pack("llvm.core.wasm", readFileSync(gen("llvm.core.wasm")));
  pack("llvm-resources.tar", pruned(readFileSync(gen("llvm-resources.tar"))));
  writeFileSync(join(to, "NOTICE.txt"), notice(version));
  writeFileSync(made, as_packed); // last: all is there
}
