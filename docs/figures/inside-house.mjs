// The house as it stands in the tree: folders are rooms, includes and imports are arrows, a window is 500 lines. A line more or
// less moves no window, so the picture changes when a room grows, comes or goes, or when one learns of another.
import * as fs from "node:fs"; // empty in the browser, which never draws this picture
import { text_width } from "./kit/colours.mjs";

export const title = "The folders of Gradus as a house: a floor stands on what it includes, a window is 500 lines";

const WINDOW = 500;
const CODE = /\.(cpp|h|mjs|js|py|sh|css|html)$|^docs\/[^/]*\.md$/;
const NOT_WRITTEN = /\/(node_modules|dist|cache|\.temp|public|made|__pycache__)$|^docs\/reference$/;
const BLOCKS = ["tests", "docs", "examples", "nn", "optim", "core"];

function files_of(root, folder) {
  const entries = fs.readdirSync(`${root}/${folder}`, { withFileTypes: true });
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1)).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return NOT_WRITTEN.test(path) ? [] : files_of(root, path);
    return CODE.test(path) ? [path] : [];
  });
}

// "core/tape/node.h" is in the room core/tape, core/check.h in core/*; the chapters of examples are one room.
function room_of(path) {
  const [block, room, ...rest] = path.split("/");
  return rest.length === 0 ? `${block}/*` : `${block}/${/^ch\d/.test(room) ? "chapters" : room}`;
}

// What a file includes or imports, as paths from the root. A header that includes its whole library (core/core.h) is no arrow.
function read_by(path, text) {
  const names = text.matchAll(/^#include "([^"]+)"|\b(?:from|import) ?\(?"(\.[^"]+)"/gm);
  return Array.from(names, ([, from_root, beside]) => from_root ?? new URL(beside, `file:///${path}`).pathname.slice(1))
    .filter((one) => !/^(\w+)\/\1\.h$/.test(one));
}

// The rooms of the tree at `root`: { name, lines, knows: room → how often it is included }.
export function rooms_of(root) {
  const rooms = new Map();
  for (const path of BLOCKS.flatMap((block) => files_of(root, block))) {
    if (/^(\w+)\/\1\.h$/.test(path)) continue;
    const name = room_of(path);
    if (!rooms.has(name)) rooms.set(name, { name, lines: 0, knows: new Map() });
    const room = rooms.get(name);
    const text = fs.readFileSync(`${root}/${path}`, "utf8");
    room.lines += text.split("\n").length - 1;
    for (const other of read_by(path, text).map(room_of)) if (other !== name) room.knows.set(other, (room.knows.get(other) ?? 0) + 1);
  }
  return [...rooms.values()];
}

// Arrows between `rooms`: the way that is included more often points down. Levels: a room stands above all that it knows. Of the
// arrows down only those are kept that no longer way replaces.
export function floors_of(rooms) {
  const named = new Map(rooms.map((room) => [room.name, room]));
  const up_from = ({ name, knows }) => [...knows.keys()].filter((other) => named.get(other)?.knows.get(name) > knows.get(other));
  const down_from = (room) => [...room.knows.keys()].filter((other) => named.has(other) && !up_from(room).includes(other));
  const below = new Map(); // all that a room stands on, over any number of steps
  const levels = new Map();
  const settle = (room) => {
    if (levels.has(room.name)) return;
    const down = down_from(room);
    for (const other of down) settle(named.get(other));
    levels.set(room.name, 1 + Math.max(-1, ...down.map((other) => levels.get(other))));
    below.set(room.name, new Set(down.flatMap((other) => [other, ...below.get(other)])));
  };
  rooms.forEach(settle);
  const arrows = rooms.flatMap((room) => {
    const down = down_from(room);
    const direct = down.filter((other) => !down.some((between) => below.get(between).has(other)));
    return [...direct.map((to) => ({ from: room.name, to })), ...up_from(room).map((to) => ({ from: room.name, to, up: true }))];
  });
  const floors = [...new Set(levels.values())].sort((a, b) => b - a);
  return { floors: floors.map((level) => rooms.filter(({ name }) => levels.get(name) === level)), arrows };
}

// The rooms of each block as one.
function blocks_of(rooms) {
  const block_of = (name) => name.split("/")[0];
  return BLOCKS.map((name) => {
    const own = rooms.filter((room) => block_of(room.name) === name);
    const knows = new Map();
    for (const [other, times] of own.flatMap((room) => [...room.knows])) {
      if (block_of(other) !== name) knows.set(block_of(other), (knows.get(block_of(other)) ?? 0) + times);
    }
    return { name, own, knows, lines: own.reduce((sum, { lines }) => sum + lines, 0) };
  });
}

const COLOURS = { tests: "soft", docs: "f4", examples: "f2", nn: "gradient", optim: "f3", core: "value" };
const [PANE, EDGE, TITLE, GAP, BETWEEN] = [9, 6, 20, 10, 26];

// How large a room is drawn: its name above its windows, which stand in rows.
function sized(room) {
  const windows = Math.max(1, Math.round(room.lines / WINDOW));
  const label = room.name.replace(/^\w+\/(?!\*)/, "");
  const name_width = text_width(label, 12);
  const columns = Math.max(Math.floor(name_width / PANE), Math.ceil(Math.sqrt(2.5 * windows)));
  const rows = Math.ceil(windows / columns);
  return { ...room, label, windows, columns, w: Math.max(name_width, columns * PANE) + 2 * EDGE, h: 18 + rows * PANE + EDGE };
}

// Rooms side by side below those that know them, in as many lines as the width asks for, each on its line's ground; returns the
// lower end.
function put_floor(rooms, left, right, top) {
  const above = (
    room,
  ) => (room.readers.length ? room.readers.reduce((sum, { x, w }) => sum + x + w / 2, 0) / room.readers.length : right / 2);
  const lines = [[]];
  for (const room of [...rooms].sort((a, b) => above(a) - above(b))) {
    const taken = lines.at(-1).reduce((sum, { w }) => sum + w + GAP, 0);
    if (taken + room.w > right - left) lines.push([]);
    lines.at(-1).push(room);
  }
  for (const line of lines) {
    const ground = top + Math.max(...line.map(({ h }) => h));
    const space = (right - left - line.reduce((sum, { w }) => sum + w, 0)) / (line.length + 1);
    let x = left;
    for (const room of line) {
      Object.assign(room, { x: x + space, y: ground - room.h });
      x += space + room.w;
    }
    top = ground + GAP;
  }
  return top - GAP;
}

export function draw({ drawing, width, rooms = rooms_of(decodeURIComponent(new URL("../..", import.meta.url).pathname)) }) {
  const right = width - 62;
  let y = 4;
  const blocks = blocks_of(rooms).map((block) => {
    const { floors, arrows } = floors_of(block.own.map(sized));
    for (const room of floors.flat()) {
      room.readers = floors.flat().filter(({ name }) => arrows.some(({ from, to, up }) => from === name && to === room.name && !up));
    }
    const top = y;
    y += TITLE + 6;
    for (const floor of floors) y = put_floor(floor, 8, right - 8, y) + BETWEEN;
    y += 10 - BETWEEN;
    const placed = { ...block, arrows, rooms: floors.flat(), top, bottom: y };
    y += 12;
    return placed;
  });
  const d = drawing(width, y - 8, title);
  for (const block of blocks) draw_block(d, block, right);
  draw_ways(d, blocks, right);
  return d;
}

function draw_block(d, { name, lines, rooms, arrows, top, bottom }, right) {
  const role = COLOURS[name];
  d.box(1, top, right - 1, bottom - top, { role: "line", fill: "panel" });
  d.text(8, top + 13, `${name}/`, { anchor: "start", size: 14, weight: 600, role });
  d.text(right - 8, top + 13, `${Math.round(lines / 1000)} thousand lines`, { anchor: "end", size: 12, role: "soft" });
  const at = new Map(rooms.map((room) => [room.name, room]));
  for (const { from, to, up } of arrows) {
    const [a, b] = [at.get(from), at.get(to)];
    const [start, end] = up ? [a.y, b.y + b.h + 2] : [a.y + a.h, b.y - 2];
    d.arrow(a.x + a.w / 2 + (up ? 14 : 0), start, b.x + b.w / 2 + (up ? 14 : 0), end, {
      role: up ? "wrong" : "constant",
      width: 1.2,
      dash: up,
      head: 6,
    });
  }
  for (const room of rooms) {
    d.box(room.x, room.y, room.w, room.h, { role, radius: 2, width: 1.2 });
    d.text(room.x + EDGE, room.y + 10, room.label, { anchor: "start", size: 12 });
    for (let row = 0, left = room.windows; left > 0; ++row, left -= room.columns) {
      const [x, y] = [room.x + EDGE, room.y + 21 + row * PANE];
      d.line(x, y, x + Math.min(left, room.columns) * PANE - 3, y, { role, width: 6, dash: "6 3" });
    }
  }
}

// What one block knows of another, at the right of the house.
function draw_ways(d, blocks, right) {
  const { arrows } = floors_of(blocks);
  const at = new Map(blocks.map((block) => [block.name, (block.top + block.bottom) / 2]));
  for (const { from, to, up } of arrows) {
    const far = blocks.findIndex(({ name }) => name === to) - blocks.findIndex(({ name }) => name === from);
    const bend = -9 * far; // to the right of the house, up or down
    const [start, end] = [at.get(from) + (up ? 12 : -6 + far), at.get(to) + (up ? 12 : -6 - far)];
    d.arrow(right + 1, start, right + 3, end, { bend, role: up ? "wrong" : "constant", dash: up, width: 1.2, head: 7 });
  }
}
