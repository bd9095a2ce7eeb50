// SPDX-License-Identifier: Apache-2.0
// The rows that came with the page: cells by column, the truth, and which rows reach a node.

class Rows {
  constructor(spec, columns, name) {
    this.spec = spec;
    this.name = name;
    this.n = spec.kept;
    this.x = app.data.features.map((_, i) => columns['x' + i]);
    this.truth = app.data.targets.map((_, i) => columns['truth' + i] || null);
    this.answer = app.data.targets.map((_, i) => columns['answer' + i]);
    this.weight = columns.weight || null;
    this.numbers = columns.number || null;
    this.sorted = null;
  }

  // Number of a row in the table it came from, counted from 1 as people do.
  number(row) { return this.numbers ? this.numbers[row] : row * this.spec.step + 1; }
  // The row of that number, or the last one before it that is in the page.
  rowOf(number) {
    if (!this.numbers) return Math.floor((number - 1) / this.spec.step);
    return Math.max(1, this.numbers.filter((other) => other <= number).length) - 1;
  }
  cells(row) { return this.x.map((column) => column[row]); }
  isWrong(row, output) { return this.truth[output] && this.truth[output][row] !== this.answer[output][row]; }

  // Rows ordered by where they end: those of a node are a run, because ids are preorder.
  place(tree) {
    if (this.sorted && this.sorted.tree === tree) return this.sorted;
    const leaf = new Int32Array(this.n);
    const cells = new Array(this.x.length);
    for (let row = 0; row < this.n; row++) {
      for (let i = 0; i < cells.length; i++) cells[i] = this.x[i][row];
      leaf[row] = leafOf(tree, cells);
    }
    const order = Int32Array.from({length: this.n}, (_, i) => i).sort((a, b) => leaf[a] - leaf[b] || a - b);
    const keys = order.map((row) => leaf[row]);
    this.sorted = {tree, leaf, order, keys};
    return this.sorted;
  }

  at(tree, node) {
    const {order, keys} = this.place(tree);
    const first = (limit) => {
      let low = 0, high = keys.length;
      while (low < high) { const middle = (low + high) >> 1; if (keys[middle] < limit) low = middle + 1; else high = middle; }
      return low;
    };
    return order.subarray(first(node), first(tree.end[node]));
  }
}

// Rows whose distributions are shown: those of training when they are there.
const shownRows = () => app.training || app.rows;
const isTraining = () => app.data.given === 'training';
const givenRows = () => (isTraining() ? 'training rows' : 'evaluation rows');
const rowsName = (rows) => (rows === app.training ? 'training rows' : givenRows());
// Which tree of the model is shown, when there are several.
const treeWords = () => (isForest() ? `tree ${app.index + 1} of ${app.data.trees.length}` : '');
function thinnedWords(rows) {
  return rows.spec.step > 1 ? `1 row in ${rows.spec.step} of ${counted(rows.spec.rows, 'row')} is in this page` : '';
}
