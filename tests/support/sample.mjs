// sample(n, items): n of the items, in their order, drawn by GRADUS_SEED; all of them in ./tests/run --full.
export function sample(n, items) {
  if (process.env.GRADUS_FULL) return [...items];
  let state = Number(process.env.GRADUS_SEED ?? 1) >>> 0;
  const draw = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0);
  const numbered = items.map((item, place) => ({ item, place, key: draw() }));
  const chosen = numbered.sort((a, b) => a.key - b.key).slice(0, n);
  return chosen.sort((a, b) => a.place - b.place).map((one) => one.item);
}
