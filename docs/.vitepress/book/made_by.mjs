// The first line of a page that is made, or of which a part is: by what, and of what.
const HEAD = /^<!-- (?:Partly made|Made) by [^\n]* -->\n\n/;

const headed = (words, text) => `<!-- ${words} -->\n\n${text.replace(HEAD, "")}`;

// A page that is made as a whole of `sources`.
export const made_page = (sources, text) => headed(`Made by ./docs/run --write from ${sources}`, text);

// A written page of which `parts` are made.
export const partly_made_page = (parts, text) => headed(`Partly made by ./docs/run --write: ${parts}`, text);
