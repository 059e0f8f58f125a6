// The picture of the house is the tree's: it changes with the folders, their includes and 500 lines, and not with a line.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { draw, floors_of, rooms_of } from "../../../docs/figures/inside-house.mjs";
import { drawing } from "../../../docs/figures/kit/drawing.mjs";

const root = mkdtempSync(join(tmpdir(), "house-"));
after(() => rmSync(root, { recursive: true }));

function write(path, text) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}
const drawn = () => String(draw({ drawing, width: 720, rooms: rooms_of(root) }));
const rooms = (block) => floors_of(rooms_of(root).filter(({ name }) => name.startsWith(block)));
const names = (floors) => floors.map((floor) => floor.map(({ name }) => name));

for (const block of ["tests", "docs", "examples", "nn", "optim"]) write(`${block}/a/a.cpp`, "");
write("core/core.h", '#include "core/tape/node.h"\n');
write("core/tensor/tensor.h", "//\n".repeat(900));
write("core/tensor/tensor.cpp", '#include "core/tape/node.h"\n');
write("core/tape/node.h", '#include "core/tensor/tensor.h"\n');
write("core/tape/node.cpp", '#include "core/tape/node.h"\n#include "core/tensor/tensor.h"\n');
write("core/ops/ops.cpp", '#include "core/tape/node.h"\n#include "core/tensor/tensor.h"\n');

test("a room stands on what it includes; the way that is included less often points up", () => {
  const { floors, arrows } = rooms("core");
  assert.deepEqual(names(floors), [["core/ops"], ["core/tape"], ["core/tensor"]]);
  assert.deepEqual(arrows, [
    { from: "core/ops", to: "core/tape" },
    { from: "core/tape", to: "core/tensor" },
    { from: "core/tensor", to: "core/tape", up: true },
  ]);
});

test("a line more changes nothing; a window more, a room and an include are seen", () => {
  const before = drawn();
  write("core/tape/more.h", "// one line\n");
  assert.equal(drawn(), before);
  write("core/tape/more.h", "//\n".repeat(1000));
  const wider = drawn();
  assert.notEqual(wider, before);
  write("core/io/io.h", "");
  const with_io = drawn();
  assert.match(with_io, />io</);
  write("core/io/io.h", '#include "core/tensor/tensor.h"\n');
  assert.notEqual(drawn(), with_io);
  assert.deepEqual(names(rooms("core").floors), [["core/ops"], ["core/io", "core/tape"], ["core/tensor"]]);
});

test("an import beside a file is one from its folder", () => {
  write("docs/figures/one.mjs", 'import { two } from "../kit/two.mjs";\n');
  write("docs/kit/two.mjs", "");
  assert.deepEqual(rooms("docs").arrows, [{ from: "docs/figures", to: "docs/kit" }]);
});
