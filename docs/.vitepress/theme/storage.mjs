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
