// A page is HTML already, and no part of it is bound to a value: Vue takes it as one node, which is neither compiled nor walked
// through in the browser. The code comes in as VitePress 1.6 writes it. VitePress looks for `createStaticVNode("…", 1)` and leaves
// the text out of the script that a browser loads beside the HTML.
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
