// What a browser remembers for a page, as JSON. It may refuse to keep anything, and then has nothing.
export function recall(storage, key) {
  try {
    return JSON.parse(window[storage].getItem(key)) ?? {};
  } catch {
    return {};
  }
}

export function remember(storage, key, value) {
  try {
    window[storage].setItem(key, JSON.stringify(value));
  } catch {} // then not
}

// What a reader has written: each tab has its own, also when it is loaded anew, and a new tab begins with what was written last.
export function recall_text(key) {
  const own = recall("sessionStorage", key);
  return own.is_own ? own : recall("localStorage", key);
}

export function remember_text(key, value) {
  remember("localStorage", key, value);
  remember("sessionStorage", key, { ...value, is_own: true });
}
