// What a reader has written, and which hint they have come to. A browser may refuse to keep anything.
const key = (id) => `gradus-exercise-${id}`;

export function kept(id) {
  try {
    return JSON.parse(window.localStorage.getItem(key(id))) ?? {};
  } catch {
    return {};
  }
}

// `heard` is called when another tab has kept something else.
export const hear_others = (id, heard) => window.addEventListener("storage", (event) => event.key === key(id) && heard());

export function keep(id, values) {
  try {
    window.localStorage.setItem(key(id), JSON.stringify({ ...kept(id), ...values }));
  } catch {} // then not
}
