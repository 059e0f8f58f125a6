// Searches as a reader types them, in the index of the built book and with its options: the wanted page is among the first three.
//   node search.mjs docs/.vitepress/dist
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { search } from "../../docs/.vitepress/search.mjs";

const dist = path.resolve(process.argv[2]);
const MiniSearch = createRequire(new URL("../../docs/node_modules/x.js", import.meta.url))("minisearch");

// What is typed, and the pages, with their anchors, of which one has to be there.
const searches = {
  "why sqrt d": ["ch07#attn-scaled-dot"],
  "√d": ["ch07#attn-scaled-dot"],
  "self attention": ["ch07#attn-scaled-dot"],
  "scaled dot product": ["ch07#attn-scaled-dot"],
  "multi head attention": ["ch07#attn-multi-head"],
  "causal mask": ["ch07#attn-causal-mask"],
  "kv cache": ["ch07#attn-kv-cache"],
  swish: ["ch02-smooth#act-swish", "ch02-smooth#act-silu"],
  gelu: ["ch02-smooth#act-gelu"],
  relu: ["ch02#act-relu"],
  sigmoid: ["ch02#act-sigmoid"],
  "softmax temperature": ["ch01#act-softmax"],
  logsumexp: ["ch01#act-log-softmax"],
  "weight decay": ["ch10#optim-weight-decay"],
  adamw: ["ch10-adam#optim-adamw"],
  "learning rate warmup": ["ch10-schedules#schedule-warmup"],
  "cosine schedule": ["ch10-schedules#schedule-cosine"],
  "gradient clipping": ["ch10#optim-clip"],
  "stochastic gradient descent": ["ch10#optim-sgd"],
  broadcast: ["ch00#op-add", "inside#un-broadcasting"],
  "matmul gradient": ["ch00#op-matmul"],
  backpropagation: ["ch00"],
  "chain rule": ["ch00", "glossary#the-way-back"],
  "gradient checking": ["glossary#is-it-right", "ch00"],
  "he initialization": ["ch10-starts#init-kaiming"],
  glorot: ["ch10-starts#init-xavier-normal", "ch10-starts#init-xavier-uniform"],
  no_grad: ["cheat-sheet"],
  zero_grad: ["cheat-sheet", "ch10#optim-sgd"],
  pytorch: ["cheat-sheet"],
  layernorm: ["ch04#norm-layer"],
  layernrom: ["ch04#norm-layer"],
  "对 layernorm": ["ch04#norm-layer"],
  rmsnorm: ["ch04#norm-rms"],
  "batch normalization": ["ch04-batch#norm-batch"],
  "residual connection": ["ch08#block-residual"],
  "skip connection": ["ch08#block-residual"],
  "pre norm": ["ch08#block-pre"],
  "rotary embedding": ["ch06#pos-rope"],
  "positional encoding": ["ch05#pos-sinusoidal", "ch05#pos-taxonomy"],
  "cross entropy": ["ch11-losses#loss-cross-entropy"],
  "label smoothing": ["ch11-losses#loss-label-smoothing"],
  dropout: ["ch10-dropout#regular-dropout"],
  "weight tying": ["ch11#model-tying"],
  lstm: ["ch09-cells#model-lstm"],
  "feed forward": ["ch03#ffn-relu"],
  gdb: ["stepping#in-gdb"],
  "norm-rms": ["ch04#norm-rms"],
};

const chunks = path.join(dist, "assets/chunks");
const file = readdirSync(chunks).find((name) => name.includes("localSearchIndexroot"));
const { default: json } = await import(`data:text/javascript,${encodeURIComponent(readFileSync(path.join(chunks, file), "utf8"))}`);
const index = MiniSearch.loadJSON(json, { fields: ["title", "titles", "text"], storeFields: ["title", "titles"], ...search.options,
  searchOptions: search.searchOptions });

const page = ({ id }) => id.replace(/^\//, "").replace(".html", "");
const missed = Object.entries(searches).filter(([words, wanted]) => {
  const first = index.search(words).slice(0, 3).map(page);
  const found = wanted.some((one) => first.some((id) => id === one || (!one.includes("#") && id.split("#")[0] === one)));
  if (!found) console.error(`"${words}" finds ${first.join(", ") || "nothing"}, not ${wanted.join(" or ")}`);
  return !found;
});
console.log(`${Object.keys(searches).length} searches, ${missed.length} missed`);
process.exit(missed.length > 0 ? 1 : 0);
