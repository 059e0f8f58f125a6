// A page is HTML already, and no part of it is bound to a value. Vue takes it as one node, which is neither compiled nor, where it is
// read, walked through.
export const static_pages = {
  name: "static-pages",
  transform(code, id) {
    if (!id.endsWith(".md")) return undefined;
    const [, script, html] = code.match(/^<script >([^]*?)<\/script>\s*<template>([^]*)<\/template>\s*$/);
    const render = `render: () => createStaticVNode(${JSON.stringify(html)}, 1)`;
    return {
      code: `import { createStaticVNode } from "vue";\n${script.replace("export default {", () => `export default {${render}, `)}`,
      map: null,
    };
  },
};
