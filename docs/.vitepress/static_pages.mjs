// A page is HTML already, and no part of it is bound to a value. Vue takes it as one node, which is neither compiled nor, where it is
// read, walked through. What comes in is as VitePress 1.6 writes it; it finds `createStaticVNode("…", 1)` again, and leaves the text
// out of the script of a page that the browser has as HTML.
export const static_pages = {
  name: "static-pages",
  transform(code, id) {
    if (!id.endsWith(".md")) return undefined;
    const parts = code.match(/^<script >([^]*?export default \{)([^]*?)<\/script>\s*<template>([^]*)<\/template>\s*$/);
    if (!parts) throw new Error(`${id}: a page is one script and one template, not ${code.slice(0, 200)}`);
    const [, data, name, html] = parts;
    const render = `render: () => createStaticVNode(${JSON.stringify(html)}, 1)`;
    return { code: `import { createStaticVNode } from "vue";\n${data}${render}, ${name}`, map: null };
  },
};
