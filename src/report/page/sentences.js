// SPDX-License-Identifier: Apache-2.0
// The decision of one row in sentences, as src/explain/explain.cpp writes them.

// Digits at which the printed cell stands on the same side of the printed thresholds as the real ones do, and
// equals them only when they are equal: no fewer than thresholds have elsewhere, but for sums.
function honestDigits(cell, thresholds, kind) {
  const least = kind === OBLIQUE ? 6 : Math.max(6, ...thresholds.map((cut) => cutDigits(cut)));
  for (let digits = least; digits < ALL_DIGITS; digits++) {
    const printed = (value) => Number(plainNumber(value, digits).replace('inf', 'Infinity'));
    if (thresholds.every((t) => (cell <= t) === (printed(cell) <= printed(t)) && (cell === t) === (printed(cell) === printed(t)))) return digits;
  }
  return ALL_DIGITS;
}

// The surrogate that decides about a row, in words.
function surrogateWords(tree, node, row) {
  for (let i = tree.altAt[node]; i < tree.altAt[node + 1]; i++) {
    if (tree.alt_role[i] !== 1) continue;
    const child = surrogateChild(tree, i, row[tree.alt_column[i]]);
    if (child < 0) continue;
    const test = {kind: [tree.alt_kind[i]], column: [tree.alt_column[i]], threshold: [tree.alt_threshold[i]], mapAt: tree.altMapAt.subarray(i, i + 2),
      map_level: tree.alt_map_level, map_child: tree.alt_map_child, unseen_to: [1], missing_to: [1]};
    return conditionWords(condition(test, 0, tree.alt_turned[i] ? 1 - child : child));
  }
  return '';
}

function stepSentence(tree, node, row, child, routed) {
  const kind = tree.kind[node];
  const cell = testedCell(tree, node, row);
  const isNumber = kind === NUMERIC || kind === INTERVAL || kind === OBLIQUE;
  const cuts = kind === INTERVAL ? Array.from(tree.cut.subarray(tree.cutAt[node], tree.cutAt[node + 1])) : [tree.threshold[node]];
  const digits = isNumber && isFinite(cell) ? honestDigits(cell, cuts, kind) : 6;
  const name = kind === OBLIQUE ? formula(tree, node, digits) : shownName(field(tree.column[node]).name);
  const start = kind === OBLIQUE ? `A cell of ${name} is missing` : `${name} is missing`;
  if (child < 0) {
    const why = isNumber || isNaN(cell) ? start
      : cell < 0 ? `${name} holds a value that did not occur in training`
      : `${name} is ${shownName(field(tree.column[node]).levels[cell])}, which did not occur at this node in training`;
    return `${why}, so the row goes no further.`;
  }
  const found = condition(tree, node, child, digits);
  const words = conditionWords(found);
  const stand = kind === OBLIQUE || decidedBy(tree, node, cell) !== 'surrogate' ? '' : surrogateWords(tree, node, row);
  const because = `because ${stand}, the row follows the branch ${words}.`;
  if (isNaN(cell)) {
    if (found.form === 'missing') return `${start}.`;
    if (stand) return `${start}; ${because}`;
    if (routed !== BY_SHARE) return `${start}; such rows follow the branch ${words}.`;
    const share = tree.share[tree.childAt[node] + child];
    return `${start}, so the row is split across all branches; ${shownShare(share)} of it follows the branch ${words}.`;
  }
  if (!isNumber && cell < 0) {
    return stand ? `${name} holds a value that did not occur in training; ${because}` : `${name} holds a value that did not occur in training; such rows follow the branch ${words}.`;
  }
  const value = isNumber ? shownNumber(cell, digits) : shownName(field(tree.column[node]).levels[cell]);
  const sentence = `${found.subject} is ${value}`;
  if (found.form === 'is' || found.form === 'any') return sentence + '.';
  if (found.form === 'is_not') return `${sentence}, not ${found.first}.`;
  if (found.form === 'known') return `${sentence}, so it is known.`;
  return `${sentence}, which is ${predicateWords(found)}.`;
}

// The answer first, then the other classes, largest first.
function sharesWords(shares, output, answer, most = 4) {
  const target = app.data.targets[output], colon = carriesColumn(target) ? ':' : '';
  const order = shares.map((_, i) => i).filter((i) => shares[i] > 0).sort((a, b) => (b === answer) - (a === answer) || shares[b] - shares[a] || a - b);
  const length = order.length <= most + 1 ? order.length : most;
  const list = order.slice(0, length).map((i, at) => `${at ? shownName(target.levels[i]) : classWords(target, i)}${colon} ${shownShare(shares[i])}`).join(', ');
  return length === order.length ? list : `${list} and ${order.length - length} more`;
}

function valueWord() {
  const {criterion, quantile, monotone, effect} = app.data;
  if (effect) return 'effect';
  if (monotone) return 'value';
  if (criterion === 'absolute_error') return 'median';
  return criterion === 'quantile' ? `${shortest(quantile)} quantile` : 'mean';
}

const weighsOtherwise = (tree, i) => Math.abs(tree.weights[i] - tree.n_rows[i]) > 1e-9 * tree.weights[i];
const partsOfRows = (tree) => !tree.isLeaf(0) && tree.missing_to[0] === BY_SHARE;
function isByWeight(tree, node) {
  const differs = (i) => weighsOtherwise(tree, i) && (!partsOfRows(tree) || tree.weights[i] > tree.n_rows[i]);
  return weighsOtherwise(tree, 0) || app.data.weighs_classes || differs(node) || tree.kids(0).some(differs);
}
function rowsWords(tree, node) {
  const n = tree.n_rows[node], byWeight = isByWeight(tree, node);
  const words = counted(n, 'training row');
  const shown = !partsOfRows(tree) || !weighsOtherwise(tree, node) || byWeight ? words : `${shownNumber(tree.weights[node], 3)} of ${words}`;
  const pure = app.data.targets.every((_, output) => tree.shares(node, output).filter((share) => share === 1).length === 1);
  return shown + (byWeight && !pure ? ', by weight' : '');
}

// Where the value of a node of too few rows comes from; '' where it is its own.
function sourceWords(tree, node) {
  const source = tree.source ? tree.source[node] : node;
  if (source === node) return '';
  const few = tree.n_rows[node] === 0 ? ', so it has no value of its own and ' : ', too few for a value of its own, so it ';
  if (source >= 0) return `${few}takes that of node ${source} above it (${counted(tree.n_rows[source], 'row')})`;
  return few + (source === -1 ? 'gives all classes the same probability' : 'predicts nothing');
}

function leafSentence(tree, node, inParts) {
  const who = inParts ? 'The largest part of the row ends in a leaf that' : tree.isLeaf(node) ? 'This leaf' : 'This node';
  const all = app.data.targets.map((target, output) => {
    const of = app.data.targets.length === 1 || carriesColumn(target) ? '' : shownName(target.name) + ' ';
    return of + (tree.isClass ? sharesWords(tree.shares(node, output), output, tree.answer(node, output))
      : `${valueWord()} ${answerText(tree.answer(node, output), output)}`);
  });
  const from = sourceWords(tree, node);
  if (from.endsWith('predicts nothing')) return `${who} holds ${rowsWords(tree, node)}${from}.`;
  return `${who} holds ${rowsWords(tree, node)}${from}${app.data.shrunken ? '; after shrinkage: ' : ': '}${all.join('; ')}.`;
}

// The way of a row: steps [{node, child, routed, text}], the leaf, and all sentences. `closed` as in parts().
function explainRow(tree, row, closed = null) {
  const leaf = leafOf(tree, row, closed);
  const steps = [];
  const sentences = [];
  let inParts = false;
  const ends = (node) => tree.isLeaf(node) || (closed && closed(node));
  if (ends(0)) sentences.push(`The tree is a single leaf: every row gets the same ${app.data.effect ? 'effect' : 'prediction'}.`);
  for (let node = 0; !ends(node);) {
    const routed = route(tree, node, row);
    if (routed === STOPS) { sentences.push(stepSentence(tree, node, row, -1, routed)); break; }
    if (routed === BY_SHARE) inParts = true;
    let child = routed;
    const kids = tree.kids(node);
    if (child < 0) for (child = kids.length - 1; kids[child] > leaf;) child--;
    const text = stepSentence(tree, node, row, child, routed);
    steps.push({node, child, text});
    sentences.push(text);
    node = kids[child];
  }
  sentences.push(leafSentence(tree, leaf, inParts));
  const answer = treeAnswer(tree, row, closed);
  const words = app.data.targets.map((target, output) => {
    const text = answerText(finalAnswer(answer, output), output);
    return app.data.targets.length === 1 || carriesColumn(target) ? text : `${text} for ${shownName(target.name)}`;
  });
  const last = words.pop();
  const list = words.length ? `${words.join(', ')} and ${last}` : last;
  const of = isForest() ? ' of this tree' : '', least = app.data.loss && app.data.loss.length ? ', where the expected loss is least' : '';
  sentences.push(`${inParts ? 'Combining all leaves the row reaches,' : 'So'} the ${app.data.effect ? 'estimated effect' : 'prediction'}${of} is ${list}${least}.`);
  return {leaf, steps, sentences, answer, nodes: [...steps.map((step) => step.node), leaf]};
}
