// SPDX-License-Identifier: Apache-2.0
// A tree as the page holds it: columns by node, and what follows from them. Ids are preorder, so the nodes below
// a node are the ids from it up to its `end`.

const LEAF = 0, NUMERIC = 1, ORDINAL = 2, EQUALITY = 3, SUBSET = 4, MULTIWAY = 5, INTERVAL = 6, OBLIQUE = 7;
const BY_SHARE = -1, SURROGATE = -2, STOPS = -3, SURROGATE_OR_STOPS = -4;

// Starts of parts of these sizes in a slab; one more at the end.
function starts(sizes, n) {
  const at = new Int32Array(n + 1);
  if (sizes) for (let i = 0; i < n; i++) at[i + 1] = at[i] + sizes[i];
  return at;
}

class Tree {
  constructor(spec, columns) {
    Object.assign(this, columns);
    this.n = spec.nodes;
    this.spec = spec;
    this.widths = app.data.widths;
    this.width = this.widths.reduce((a, b) => a + b, 0);
    this.isClass = app.data.task === 'classification';
    this.weights = this.weight || this.n_rows;
    this.hasStatistics = spec.weight > 0;
    this.childAt = starts(this.children, this.n);
    this.mapAt = starts(this.map_size, this.n);
    this.cutAt = starts(this.cut_size, this.n);
    this.termAt = starts(this.term_size, this.n);
    this.altAt = starts(this.alt_size, this.n);
    if (this.alt_size) this.altMapAt = starts(this.alt_map_size, this.alt_map_size.length);
    if (this.value_size) this.valueAt = starts(this.value_size, this.n);
    this.connect();
    this.range();
  }

  connect() {
    const n = this.n;
    this.parent = new Int32Array(n).fill(-1);
    this.depth = new Int32Array(n);
    this.rank = new Uint16Array(n);
    this.child = new Int32Array(Math.max(n - 1, 0));
    this.end = new Int32Array(n);
    const next = this.childAt.slice();
    const open = [];
    for (let i = 0; i < n; i++) {
      if (open.length) {
        const up = open[open.length - 1];
        this.parent[i] = up;
        this.depth[i] = this.depth[up] + 1;
        this.rank[i] = next[up] - this.childAt[up];
        this.child[next[up]++] = i;
        if (next[up] === this.childAt[up + 1]) open.pop();
      }
      if (this.children[i]) open.push(i);
    }
    this.leaves = new Int32Array(n);
    for (let i = n - 1; i >= 0; i--) {
      if (!this.children[i]) { this.end[i] = i + 1; this.leaves[i] = 1; } else this.end[i] = this.end[this.child[this.childAt[i + 1] - 1]];
      if (i) this.leaves[this.parent[i]] += this.leaves[i];
    }
  }

  // Lowest and highest value of every output, for colours.
  range() {
    this.low = [];
    this.high = [];
    if (this.isClass) return;
    for (let output = 0; output < this.widths.length; output++) {
      let low = Infinity, high = -Infinity;
      for (let i = 0; i < this.n; i++) {
        const value = this.values(i)[output];
        if (value < low) low = value;
        if (value > high) high = value;
      }
      this.low.push(low);
      this.high.push(high);
    }
  }

  // Sums of errors of the chosen output by node, 'train' or 'held'; null when they are not known. `together`: of
  // several numbers only their mean over the outputs is.
  losses(name) {
    const together = this.widths.length > 1 && !this[name + '_loss1'], output = together ? 0 : app.output;
    const leaf = this[name + '_loss' + output];
    return leaf ? {leaf, stopped: this[name + '_stopped' + output], together} : null;
  }

  isLeaf(node) { return this.kind[node] === LEAF; }
  kids(node) { return this.child.subarray(this.childAt[node], this.childAt[node + 1]); }

  // Class weights of all outputs, or the outputs' values.
  values(node) {
    if (!this.valueAt) return this.value.subarray(node * this.width, (node + 1) * this.width);
    const out = new Float64Array(this.width);
    for (let i = this.valueAt[node]; i < this.valueAt[node + 1]; i++) out[this.value_index[i]] = this.value[i];
    return out;
  }

  // Class weights of one output as its answers see them.
  classWeights(node, output) {
    const part = outputPart(Array.from(this.values(node)), output);
    return app.data.laplace ? part.map((weight) => weight + 1) : part;
  }

  // Class shares of one output; empty for numbers.
  shares(node, output) { return this.isClass ? normalised(this.classWeights(node, output)) : []; }

  // The class index or number that a node answers.
  answer(node, output) {
    return this.isClass ? chosenClass(this.classWeights(node, output)) : this.values(node)[output];
  }

  colour(node, output) { return this.answerColour(this.answer(node, output), output); }
  answerColour(answer, output) {
    if (this.isClass) return classColour(answer);
    if (app.data.effect) return effectColour(answer, farthestEffect(this));
    const spread = this.high[output] - this.low[output];
    return valueColour(spread > 0 ? (answer - this.low[output]) / spread : 0.5);
  }
}

function outputPart(values, output) {
  const begin = app.data.widths.slice(0, output).reduce((a, b) => a + b, 0);
  return values.slice(begin, begin + app.data.widths[output]);
}
function normalised(weights) {
  const total = weights.reduce((a, b) => a + b, 0);
  return weights.map((weight) => (total > 0 ? weight / total : 1 / weights.length));
}
// The class of the most weight, or of the least expected loss where the model has losses; ties to the first.
function chosenClass(weights) {
  const loss = app.data.loss;
  const cost = (guess) => weights.reduce((sum, weight, truth) => sum + weight * loss[truth][guess], 0);
  let best = 0;
  for (let i = 1; i < weights.length; i++) {
    if (loss && loss.length ? cost(i) < cost(best) : weights[i] > weights[best]) best = i;
  }
  return best;
}
// Classes such as 0 and 1, or true and false, say nothing without their column.
const carriesColumn = (target) => (target.levels || []).length > 0 && target.levels.every((name) => /^(true|True|TRUE|false|False|FALSE)$/.test(name) || (name.trim() !== '' && !isNaN(Number(name))));
const classWords = (target, i) => (carriesColumn(target) ? `${shownName(target.name)} = ` : '') + shownName(target.levels[i]);
// As answer_digits of the library.
const answerDigits = () => (app.data.effect ? 4 : 6);
const answerText = (answer, output) => (app.data.task === 'classification' ? classWords(app.data.targets[output], answer) : shownNumber(answer, answerDigits()));
const answerBrief = (answer, output) => (app.data.task === 'classification' ? classWords(app.data.targets[output], answer) : brief(answer));
// An answer with its probability: "survived 97%", "Survived = 0: 97%".
function toldAnswer(tree, node, output) {
  const answer = tree.answer(node, output);
  if (!tree.isClass) return answerBrief(answer, output);
  return `${answerBrief(answer, output)}${carriesColumn(app.data.targets[output]) ? ':' : ''} ${shownShare(tree.shares(node, output)[answer])}`;
}
