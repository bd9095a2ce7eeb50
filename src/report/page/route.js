// SPDX-License-Identifier: Apache-2.0
// Where a row goes, as src/predict/route.hpp and walk.hpp have it. A row is an array of cells: numbers, level
// indices, NaN for missing, -1 for a category that training has not seen.

function mapped(levels, children, begin, end, cell) {
  const limit = end;
  while (begin < end) {
    const middle = (begin + end) >> 1;
    if (levels[middle] < cell) begin = middle + 1; else end = middle;
  }
  return begin < limit && levels[begin] === cell ? children[begin] : -1;
}

function surrogateChild(tree, i, cell) {
  if (isNaN(cell)) return -1;
  const kind = tree.alt_kind[i];
  if (kind === SUBSET) {
    return mapped(tree.alt_map_level, tree.alt_map_child, tree.altMapAt[i], tree.altMapAt[i + 1], cell);
  }
  if (kind !== NUMERIC && cell < 0) return -1;
  const threshold = tree.alt_threshold[i];
  const holds = kind === NUMERIC ? cell <= threshold : kind === ORDINAL ? cell < threshold : cell === threshold;
  return holds !== Boolean(tree.alt_turned[i]) ? 0 : 1;
}

function routeMissing(tree, node, row) {
  const to = tree.missing_to[node];
  if (to === SURROGATE || to === SURROGATE_OR_STOPS) {
    for (let i = tree.altAt[node]; i < tree.altAt[node + 1]; i++) {
      if (tree.alt_role[i] !== 1) continue;
      const child = surrogateChild(tree, i, row[tree.alt_column[i]]);
      if (child >= 0) return child;
    }
  }
  return missingChild(tree, node);
}

// The cell that a node tests; of an oblique one the sum.
function testedCell(tree, node, row) {
  if (tree.kind[node] !== OBLIQUE) return row[tree.column[node]];
  let sum = 0;
  for (let i = tree.termAt[node]; i < tree.termAt[node + 1]; i++) sum += tree.term_weight[i] * row[tree.term_column[i]];
  return sum;
}

// Index of the child, BY_SHARE or STOPS.
function route(tree, node, row) {
  const cell = testedCell(tree, node, row);
  if (isNaN(cell)) return routeMissing(tree, node, row);
  switch (tree.kind[node]) {
    case NUMERIC: case OBLIQUE: return cell <= tree.threshold[node] ? 0 : 1;
    case ORDINAL: return cell < 0 ? routeMissing(tree, node, row) : cell < tree.threshold[node] ? 0 : 1;
    case EQUALITY: return cell === tree.threshold[node] ? 0 : 1;
    case INTERVAL: {
      let child = 0;
      for (let i = tree.cutAt[node]; i < tree.cutAt[node + 1] && cell > tree.cut[i]; i++) child++;
      return child;
    }
    default: {
      const found = mapped(tree.map_level, tree.map_child, tree.mapAt[node], tree.mapAt[node + 1], cell);
      const child = found >= 0 ? found : tree.unseen_to[node];
      return child >= 0 ? child : routeMissing(tree, node, row);
    }
  }
}

// Every part of a row in preorder: [{node, share, ends}]. `closed` says which nodes count as leaves.
function parts(tree, row, closed = null) {
  const out = [];
  const open = [{node: 0, share: 1}];
  while (open.length) {
    const {node, share} = open.pop();
    const child = tree.isLeaf(node) || (closed && closed(node)) ? STOPS : route(tree, node, row);
    out.push({node, share, ends: child === STOPS});
    if (child === STOPS) continue;
    const kids = tree.kids(node);
    if (child >= 0) open.push({node: kids[child], share});
    else for (let i = kids.length - 1; i >= 0; i--) {
      const part = tree.share[tree.childAt[node] + i];
      if (part > 0) open.push({node: kids[i], share: share * part});
    }
  }
  return out;
}
// The node where a row ends; by shares the one of the largest share, ties to the lower id.
function leafOf(tree, row, closed = null) {
  let node = 0;
  while (!tree.isLeaf(node) && !(closed && closed(node))) {
    const child = route(tree, node, row);
    if (child === STOPS) return node;
    if (child === BY_SHARE) {
      let best = null;
      for (const part of parts(tree, row, closed)) if (part.ends && (!best || part.share > best.share)) best = part;
      return best.node;
    }
    node = tree.child[tree.childAt[node] + child];
  }
  return node;
}

// What a tree says about a row: class weights or values of all outputs (shares where the row was divided).
function treeAnswer(tree, row, closed = null) {
  const ends = parts(tree, row, closed).filter((part) => part.ends);
  const weights = (node) => app.data.widths.map((_, output) =>
    tree.isClass ? tree.classWeights(node, output) : [tree.values(node)[output]]);
  if (ends.length === 1) return weights(ends[0].node);
  const sum = app.data.widths.map((width) => new Array(width).fill(0));
  for (const {node, share} of ends) {
    weights(node).forEach((part, output) => {
      (tree.isClass ? normalised(part) : part).forEach((value, i) => { sum[output][i] += share * value; });
    });
  }
  return sum;
}
// What several trees say together.
function combined(trees, row) {
  if (app.data.combine === 'single') return treeAnswer(trees[0], row);
  const sum = app.data.widths.map((width) => new Array(width).fill(0));
  for (const tree of trees) {
    treeAnswer(tree, row).forEach((part, output) => {
      if (app.data.combine === 'vote') {
        let best = 0;
        part.forEach((weight, i) => { if (weight > part[best]) best = i; });
        sum[output][best] += 1;
        return;
      }
      const scale = tree.isClass ? 1 : 1 / trees.length;
      (tree.isClass ? normalised(part) : part).forEach((value, i) => { sum[output][i] += value * scale; });
    });
  }
  return sum;
}
const finalAnswer = (weights, output) =>
  app.data.task === 'classification' ? chosenClass(weights[output]) : weights[output][0];
