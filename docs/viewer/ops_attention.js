// The arithmetic of attention and of rotary positions; the rule of the latter is shown by the chain rule.
import { broadcast_index, cells_of } from "./cells.js";
import { difference_of, function_of, named, node_of, number_leaf, product_of, quotient_of, sum_of } from "./expression.js";

const range_of = (count) => Array.from({ length: count }, (_, i) => i);
const of_the_input = (op, input) => op.shape_of(input);

// How q's heads are scaled, and which keys a query sees, is not in the trace: what fits it is taken.
function attention_choices(op) {
  const keys = op.shape_of(1)[1],
    d = op.shape.at(-1);
  const scales = [
    [1 / Math.sqrt(d), `1/√${d}`],
    [1, "1"],
    [1 / d, `1/${d}`],
  ];
  const windows = [
    0,
    ...range_of(Math.min(keys, 64))
      .map((w) => w + 1)
      .filter((w) => w < keys),
  ];
  return windows.flatMap((window) =>
    scales.flatMap(([scale, shown]) =>
      [true, false].map((causal) => ({
        window,
        scale,
        causal,
        note: `scale ${shown}${causal ? ", causal" : ""}${window ? `, window ${window}` : ""}`,
      }))
    )
  );
}

function visible_keys(op, t, { causal, window }) {
  const keys = op.shape_of(1)[1],
    i = t + keys - op.shape[1];
  const sees = (j) => (!causal || j <= i) && (window === 0 || (j > i - window && j < i + window));
  return range_of(keys).filter(sees);
}

// The softmax of one query: its keys, and the weight p of each. G heads of k and v serve H heads of q.
function weights_of(op, [b, t, h], choice) {
  const group = Math.floor(h / (op.shape[2] / op.shape_of(1)[2]));
  const keys = visible_keys(op, t, choice), columns = range_of(op.shape.at(-1));
  const dot = (j) => sum_of(...columns.map((i) => product_of(op.x(0, [b, t, h, i]), op.x(1, [b, j, group, i]))));
  const scores = keys.map((j) => named(`score of key ${j}`, product_of(dot(j), number_leaf(choice.scale))));
  const sink = op.has(3) ? [named("score of the sink", op.x(3, [h]))] : [];
  const largest = named("max", node_of("max", [...scores, ...sink]));
  const exp_of_score = (s) => function_of("exp", difference_of(s, largest));
  const total = named("Σ e^(score − max)", sum_of(...[...scores, ...sink].map(exp_of_score)));
  const weights = scores.map((s, n) => named(`p of key ${keys[n]}`, quotient_of(exp_of_score(s), total)));
  return { group, keys, columns, weights };
}

// y[b, t, h] = Σ_j p_j v_j
function attention_value(op, [b, t, h, c], choice) {
  const { group, keys, weights } = weights_of(op, [b, t, h], choice);
  return sum_of(...weights.map((p, n) => product_of(p, op.x(2, [b, keys[n], group, c]))));
}

// h = p ⊙ (g vᵀ − Σ g ⊙ y) of one query and its n-th key.
function score_gradient(op, [b, t, h], row, n) {
  const { group, keys, columns, weights } = row;
  const along_columns = (other) => sum_of(...columns.map((c) => product_of(op.g([b, t, h, c]), other(c))));
  const through = along_columns((c) => op.x(2, [b, keys[n], group, c]));
  row.d ??= named("Σ dL/dy ⊙ y", along_columns((c) => op.y([b, t, h, c]))); // one for all keys
  return named(`h of query ${t}, key ${keys[n]}`, product_of(weights[n], difference_of(through, row.d)));
}

// dL/dq = scale · h k, dL/dk = scale · hᵀ q, dL/dv = pᵀ g. A key gathers over the queries that see it, in each head that it
// serves.
function attention_rule(op, input, [b, at, head, i], choice) {
  if (input === 3) return null;
  const scale = number_leaf(choice.scale);
  if (input === 0) {
    const row = weights_of(op, [b, at, head], choice);
    const term = (j, n) => product_of(score_gradient(op, [b, at, head], row, n), op.x(1, [b, j, row.group, i]));
    return product_of(sum_of(...row.keys.map(term)), scale);
  }
  const share = op.shape[2] / op.shape_of(1)[2], terms = [];
  for (const h of range_of(share).map((n) => head * share + n)) {
    for (const t of range_of(op.shape[1])) {
      const row = weights_of(op, [b, t, h], choice), n = row.keys.indexOf(at);
      if (n < 0) continue;
      if (input === 2) terms.push(product_of(row.weights[n], op.g([b, t, h, i])));
      else terms.push(product_of(score_gradient(op, [b, t, h], row, n), op.x(0, [b, t, h, i])));
    }
  }
  if (terms.length === 0) return number_leaf(0);
  return input === 2 ? sum_of(...terms) : product_of(sum_of(...terms), scale);
}

const attention_op = {
  formulas: ["y = p v, p = softmax(scale · q kᵀ + mask)", "dL/dq = scale · h k, h = p ⊙ (dL/dy vᵀ − Σ dL/dy ⊙ y)",
    "dL/dk = scale · hᵀ q, h = p ⊙ (dL/dy vᵀ − Σ dL/dy ⊙ y)", "dL/dv = pᵀ dL/dy", "dL/dsink = Σ dL/dy ⊙ ∂y/∂sink"],
  choices: attention_choices,
  value: attention_value,
  rule: attention_rule,
  reach: (op, input, [head]) => cells_of(op.shape).filter((cell) => cell[2] === head), // of the sink
  shape: of_the_input,
};

// (a, b) → (a cos φ − b sin φ, a sin φ + b cos φ), a pair being neighbours or the same place of two halves.
function rope_value(op, cell, { pairs }) {
  const count = op.shape_of(1).at(-1),
    i = cell.at(-1);
  if (i >= 2 * count) return op.x(0, cell);
  const pair = pairs ? Math.floor(i / 2) : i % count;
  const [first, second] = pairs ? [2 * pair, 2 * pair + 1] : [pair, pair + count];
  const of = (at) => op.x(0, [...cell.slice(0, 3), at]);
  const angle = (input) => op.x(input, broadcast_index([cell[0], cell[1], pair], op.shape_of(input)));
  if (i === first) return difference_of(product_of(of(first), angle(1)), product_of(of(second), angle(2)));
  return sum_of(product_of(of(first), angle(2)), product_of(of(second), angle(1)));
}

const rope_op = {
  formulas: ["(a, b) → (a cos φ − b sin φ, a sin φ + b cos φ)"],
  choices: () => [
    { pairs: true, note: "pairs of neighbours" },
    { pairs: false, note: "pairs of two halves" },
  ],
  by_parts: true,
  value: rope_value,
  reach: (op, input, cell) => input === 0 ? range_of(op.shape.at(-1)).map((i) => [...cell.slice(0, 3), i]) : cells_of(op.shape),
  shape: of_the_input,
};

export const attention_ops = { attention: attention_op, rope: rope_op };
