// The search of the book: what is a document, the words by which a reader may look for it, and the order of what is found.
import { formula_ids } from "./book/chapters.mjs";

// Other people's names for what a section is about: a field of the index alone, behind this sign in a document's text.
const ALSO = "\u{1e}";
const also = new Map(Object.entries({
  "ch00": "backpropagation backprop autograd automatic differentiation chain rule computational graph reverse mode",
  "op-add": "broadcast broadcasting unbroadcast",
  "op-matmul": "matmul gemm dot product matrix multiplication gradient",
  "act-softmax": "softmax temperature numerically stable overflow max trick",
  "act-log-softmax": "logsumexp log-sum-exp trick",
  "act-silu": "swish",
  "act-sigmoid": "logistic function vanishing gradient saturation",
  "act-relu": "rectified linear unit dead dying relu",
  "norm-layer": "layernorm layer normalization 层归一化",
  "norm-rms": "rmsnorm root mean square normalization",
  "norm-batch": "batchnorm batch normalization running mean running variance",
  "pos-sinusoidal": "positional encoding position embedding",
  "pos-rope": "rotary position embedding rotary embeddings",
  "attn-scaled-dot": "why sqrt d divide by the root of d √d self-attention query key value 注意力",
  "attn-multi-head": "multihead attention heads mha",
  "attn-causal-mask": "autoregressive mask look ahead future",
  "attn-kv-cache": "kv cache kvcache fast generation",
  "attn-gqa": "grouped query attention",
  "block-residual": "skip connection shortcut resnet",
  "block-pre": "prenorm pre-ln",
  "block-post": "postnorm post-ln add and norm",
  "ffn-relu": "mlp feedforward feed forward network hidden layer",
  "ffn-swiglu": "swiglu gated mlp",
  "optim-sgd": "stochastic gradient descent learning rate step size",
  "optim-weight-decay": "l2 regularization regularisation weight decay",
  "optim-adamw": "adamw decoupled weight decay",
  "optim-clip": "gradient clipping clip_grad_norm exploding gradient",
  "init-kaiming": "he initialization initialisation kaiming",
  "init-xavier-normal": "glorot initialization initialisation xavier",
  "schedule-warmup": "warmup learning rate warm up",
  "schedule-cosine": "learning rate schedule scheduler cosine annealing",
  "regular-dropout": "dropout regularization regularisation overfitting",
  "loss-cross-entropy": "crossentropy negative log likelihood logits nats perplexity",
  "loss-mse": "mse mean squared error regression",
  "model-lm": "sampling top-k top-p nucleus temperature generate text gpt llm next token",
  "model-embedding": "token embedding lookup table",
  "model-lstm": "long short-term memory rnn recurrent",
  "model-conv2d": "cnn convolutional network",
  "cheat-sheet": "pytorch torch numpy translate no_grad zero_grad",
  "a-fast-path-and-its-formula": "fused kernel",
  "un-broadcasting": "broadcast broadcasting",
  "is-it-right": "gradient checking gradcheck finite differences numerical gradient",
}));

const heading = /<h(\d)[^>]*>(.*?)<a[^>]* href="#([^"]*)"[^>]*>.*?<\/a><\/h\1>/g;
const text_of = (html) => html.replace(/<[^>]*>/g, "").trim();

// A page's documents: { anchor, titles, text }. A formula's section is one, without its sources; elsewhere each heading begins one.
function* documents(file, html) {
  const formulas = new Set(formula_ids());
  const page = file.match(/([\w-]+)\.md$/)[1];
  const heads = [...html.matchAll(heading)];
  const parts = heads.map(({ index, 0: all, 1: level, 2: words, 3: anchor }, i) => ({
    level: Number(level),
    title: text_of(words),
    anchor,
    text: text_of(html.slice(index + all.length, heads[i + 1]?.index)),
  }));
  const titles = [];
  let formula;
  for (const { level, title, anchor, text } of parts) {
    if (level > 2 && formula) {
      if (!/^Sources/.test(title)) formula.text += ` ${text}`;
      continue;
    }
    if (formula) yield formula;
    formula = undefined;
    const names = also.get(level === 1 ? page : anchor);
    titles.splice(level - 1, titles.length, title);
    const one = { anchor, titles: titles.filter(Boolean), text: names ? `${names}${ALSO}${text}` : text };
    if (level === 2 && formulas.has(anchor)) formula = one;
    else yield one;
  }
  if (formula) yield formula;
}

// A search for an id finds its section before those whose ids go on from there.
const words_and_ids = (text) => {
  const words = text.toLowerCase().split(/[\s\p{P}\p{S}]+/u);
  return [...words, ...(text.toLowerCase().match(/[a-z0-9]+(?:[-_][a-z0-9]+)+/g) ?? [])].filter(Boolean);
};

// What is in `options` and `searchOptions` is sent to the browser as text.
export const search = {
  _splitIntoSections: documents,
  options: {
    fields: ["title", "titles", "text", "also"],
    extractField: (document, field) => {
      if (field !== "text" && field !== "also") return document[field];
      const [text, also = ""] = document.text.split("\u{1e}").reverse(); // that is ALSO; the browser knows no names of this file
      return field === "text" ? text : also;
    },
    tokenize: words_and_ids,
  },
  searchOptions: {
    fuzzy: (word) => (word.length > 5 ? 0.2 : false), // a slip of the finger
    prefix: (word) => word.length > 2,
    boost: { title: 8, also: 8, titles: 1, text: 1 },
    boostDocument: (id) => (/\/(reference\/|exercises|thread|path)/.test(id) ? 0.3 : /\/(glossary|cheat-sheet)/.test(id) ? 1.5 : 1), // a formula's section comes before what names it
  },
};
