// SPDX-License-Identifier: Apache-2.0
// Which nodes are shown, and where: the tidy drawing of Buchheim, Juenger and Leipert (2002) in linear time, as
// src/draw lays trees out. One unit is the distance of neighbours; depth gives the row.

// A node counts as a leaf when the tree ends there, when pruning or the chosen depth ends it, or when it is folded.
const isPruned = (tree, node) => Boolean(tree.step) && app.step > 0 && tree.step[node] >= 0 && tree.step[node] <= app.step;
const isClosed = (tree, node) => isPruned(tree, node) || tree.depth[node] >= app.level;
const isOpen = (tree, node) => !tree.isLeaf(node) && !app.folded[node] && !isClosed(tree, node);

// Leaves below a node, as pruned and grown.
function leavesBelow(tree, node) {
  if (!app.step && app.level === Infinity) return tree.leaves[node];
  let count = 0;
  for (let i = node; i < tree.end[node];) {
    const end = tree.isLeaf(i) || isClosed(tree, i);
    if (end) count++;
    i = end ? tree.end[i] : i + 1;
  }
  return count;
}

// Ids of the shown nodes in preorder.
function visibleNodes(tree) {
  const out = [];
  for (let node = 0; node < tree.n;) {
    out.push(node);
    node = isOpen(tree, node) ? node + 1 : tree.end[node];
  }
  return out;
}

// Positions of nodes given in preorder by their parents' places (parents[i] < i, -1 for the root).
function tidy(parents) {
  const n = parents.length;
  const first = new Int32Array(n).fill(-1), last = new Int32Array(n).fill(-1);
  const before = new Int32Array(n).fill(-1), number = new Int32Array(n), thread = new Int32Array(n).fill(-1);
  const ancestor = Int32Array.from({length: n}, (_, i) => i);
  const x = new Float64Array(n), mod = new Float64Array(n), change = new Float64Array(n), shift = new Float64Array(n);
  const next = new Int32Array(n).fill(-1);
  for (let i = 1; i < n; i++) {
    const up = parents[i];
    if (first[up] < 0) first[up] = i;
    else { before[i] = last[up]; next[last[up]] = i; number[i] = number[last[up]] + 1; }
    last[up] = i;
  }
  const left = (v) => (first[v] >= 0 ? first[v] : thread[v]);
  const right = (v) => (last[v] >= 0 ? last[v] : thread[v]);

  // Moves the subtree at v clear of its left siblings' subtrees.
  function apportion(v, fallback) {
    const w = before[v];
    if (w < 0) return fallback;
    let insideRight = v, outsideRight = v, insideLeft = w, outsideLeft = first[parents[v]];
    let sumIR = mod[insideRight], sumOR = mod[outsideRight], sumIL = mod[insideLeft], sumOL = mod[outsideLeft];
    while (right(insideLeft) >= 0 && left(insideRight) >= 0) {
      insideLeft = right(insideLeft);
      insideRight = left(insideRight);
      outsideLeft = left(outsideLeft);
      outsideRight = right(outsideRight);
      ancestor[outsideRight] = v;
      const gap = x[insideLeft] + sumIL - (x[insideRight] + sumIR) + 1;
      if (gap > 0) {
        const from = parents[ancestor[insideLeft]] === parents[v] ? ancestor[insideLeft] : fallback;
        const trees = number[v] - number[from];
        change[v] -= gap / trees;
        shift[v] += gap;
        change[from] += gap / trees;
        x[v] += gap;
        mod[v] += gap;
        sumIR += gap;
        sumOR += gap;
      }
      sumIL += mod[insideLeft];
      sumIR += mod[insideRight];
      sumOL += mod[outsideLeft];
      sumOR += mod[outsideRight];
    }
    if (right(insideLeft) >= 0 && right(outsideRight) < 0) {
      thread[outsideRight] = right(insideLeft);
      mod[outsideRight] += sumIL - sumOR;
    }
    if (left(insideRight) >= 0 && left(outsideLeft) < 0) {
      thread[outsideLeft] = left(insideRight);
      mod[outsideLeft] += sumIR - sumOL;
      fallback = v;
    }
    return fallback;
  }

  // Children before parents, left before right.
  const fallback = new Int32Array(n);
  for (let v = n ? descend(0, first) : -1; v >= 0;) {
    if (first[v] < 0) {
      x[v] = before[v] >= 0 ? x[before[v]] + 1 : 0;
    } else {
      let moved = 0, rate = 0;
      for (let w = last[v]; w >= 0; w = before[w]) {
        x[w] += moved;
        mod[w] += moved;
        rate += change[w];
        moved += shift[w] + rate;
      }
      const middle = (x[first[v]] + x[last[v]]) / 2;
      if (before[v] >= 0) { x[v] = x[before[v]] + 1; mod[v] = x[v] - middle; } else x[v] = middle;
    }
    const up = parents[v];
    if (up >= 0) fallback[up] = apportion(v, before[v] < 0 ? v : fallback[up]);
    v = next[v] >= 0 ? descend(next[v], first) : up;
  }
  const sum = new Float64Array(n);
  let low = 0;
  for (let i = 0; i < n; i++) {
    if (i) sum[i] = sum[parents[i]] + mod[parents[i]];
    x[i] += sum[i];
    low = Math.min(low, x[i]);
  }
  for (let i = 0; i < n; i++) x[i] -= low;
  return x;
}
function descend(v, first) {
  while (first[v] >= 0) v = first[v];
  return v;
}

// The shown nodes with their places: ids, x, depth, parents (places), and the place of every id.
function layOut(tree) {
  const ids = visibleNodes(tree);
  const place = new Map(ids.map((id, i) => [id, i]));
  const parents = Int32Array.from(ids, (id) => (id === 0 ? -1 : place.get(tree.parent[id])));
  const x = tidy(parents);
  const depth = Int32Array.from(ids, (id) => tree.depth[id]);
  let width = 0, height = 0;
  for (let i = 0; i < ids.length; i++) { width = Math.max(width, x[i]); height = Math.max(height, depth[i]); }
  return {ids, place, parents, x, depth, width, height};
}
