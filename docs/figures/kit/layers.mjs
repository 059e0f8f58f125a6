// Where the nodes of a graph stand: in layers, each beyond those of its inputs, with few crossings. A way that passes by a
// layer has a place of its own there.
//   const { layers, ways } = in_layers([{ id: 1, inputs: [] }, { id: 2, inputs: [1] }]);   // inputs stand before what reads them
//   layers[0] = [{ id: 1 }]; ways = [{ from: 1, to: 2, times: 1, places: [place, …, place] }] // a place without an id is passed by
// times: how often `to` reads `from`.
const SWEEPS = 6;

export function in_layers(nodes) {
  const layer_of = numbered(nodes);
  const layers = Array.from({ length: Math.max(...layer_of.values()) + 1 }, () => []);
  const place_of = new Map();
  for (const { id } of nodes) place_of.set(id, put(layers, layer_of.get(id), { id }));
  const ways = nodes.flatMap(({ id, inputs }) =>
    [...new Set(inputs)].map((input) => {
      const times = inputs.filter((one) => one === input).length;
      return { from: input, to: id, times, places: way(layers, place_of.get(input), place_of.get(id)) };
    })
  );
  order(layers, ways);
  return { layers, ways };
}

const put = (layers, layer, place) => (layers[layer].push(Object.assign(place, { layer })), place);

// An op is one beyond its newest input; what no op has made stands just before its first reader.
function numbered(nodes) {
  const layer_of = new Map();
  for (const { id, inputs } of nodes) layer_of.set(id, Math.max(-1, ...inputs.map((input) => layer_of.get(input))) + 1);
  for (const { id, inputs } of nodes) {
    if (inputs.length > 0) continue;
    const readers = nodes.filter((node) => node.inputs.includes(id)).map((node) => layer_of.get(node.id));
    if (readers.length > 0) layer_of.set(id, Math.min(...readers) - 1);
  }
  return layer_of;
}

function way(layers, from, to) {
  const places = [from];
  for (let layer = from.layer + 1; layer < to.layer; ++layer) places.push(put(layers, layer, {}));
  return [...places, to];
}

// Each place as near as can be to the middle of its neighbours, to and fro; of all orders the one that crosses least.
function order(layers, ways) {
  const steps = ways.flatMap(({ places }) => places.slice(1).map((place, i) => [places[i], place]));
  const settle = () => layers.forEach((layer) => layer.forEach((place, i) => (place.at = i - (layer.length - 1) / 2)));
  settle();
  let least = crossings(steps);
  let best = layers.map((layer) => [...layer]);
  for (let sweep = 0; sweep < SWEEPS; ++sweep) {
    const [mine, other] = sweep % 2 === 0 ? [1, 0] : [0, 1];
    for (const layer of mine === 1 ? layers : [...layers].reverse()) {
      const neighbours = (place) => steps.filter((step) => step[mine] === place).map((step) => step[other].at);
      const middle = new Map(layer.map((place) => [place, mean(neighbours(place)) ?? place.at]));
      layer.sort((a, b) => middle.get(a) - middle.get(b));
      layer.forEach((place, i) => (place.at = i - (layer.length - 1) / 2));
    }
    const now = crossings(steps);
    if (now < least) [least, best] = [now, layers.map((layer) => [...layer])];
  }
  best.forEach((layer, i) => layers[i].splice(0, layer.length, ...layer));
  settle();
}

const mean = (list) => (list.length > 0 ? list.reduce((sum, x) => sum + x, 0) / list.length : undefined);

function crossings(steps) {
  const cross = ([a, b], [c, d]) => a.layer === c.layer && (a.at - c.at) * (b.at - d.at) < 0;
  return steps.reduce((count, one, i) => count + steps.slice(i + 1).filter((other) => cross(one, other)).length, 0);
}
