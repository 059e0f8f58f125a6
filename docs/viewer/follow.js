// What is open: what the reader opened, and the ways to the visited and the chosen tensor while they are that.

// The groups around a tensor, outer ones first.
export function way_to(tree, number) {
  const way = [];
  for (let group = tree.home.get(number); group?.parent; group = group.parent) way.unshift(group.id);
  return way;
}

// `open` with the ways to some tensors, each as far as the reader has not shut it.
export function open_on_ways(tree, { open, shut, numbers }) {
  const all = new Set(open);
  for (const number of numbers) {
    for (const id of way_to(tree, number)) {
      if (shut.has(id)) break;
      all.add(id);
    }
  }
  return all;
}

// What the reader shut on a way, and is still on one: elsewhere the way opens by itself again.
export function still_shut(tree, shut, numbers) {
  const ways = new Set(numbers.flatMap((number) => way_to(tree, number)));
  return new Set([...shut].filter((id) => ways.has(id)));
}
