// The link to a line of the source.
const source_page = (path, line) => `source/${path}.html${line ? `#L${line}` : ""}`;

export const source_link = (path, text, line) => `<a class="source" target="_self" href="${source_page(path, line)}">${text}</a>`;
