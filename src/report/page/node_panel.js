// SPDX-License-Identifier: Apache-2.0
// All about the chosen node: what it tests, what its rows hold along that column, what it answers.

const fact = (name, ...value) => [el('dt', {}, name), el('dd', {}, ...value)];

function bigHistogram(tree, node) {
  const bins = binsOf(tree, node);
  if (!bins || !bins.n) return null;
  const width = 340, height = bins.numeric ? 150 : 176;
  const label = `Rows of node ${node} along ${tree.kind[node] === OBLIQUE ? 'its sum' : field(tree.column[node]).name}`;
  const root = svg('svg', {viewBox: `0 0 ${width} ${height}`, class: 'chart', role: 'img', 'aria-label': label});
  const area = {x: 34, y: 14, w: width - 44, h: 104};
  for (const t of ticks(0, bins.top, 3)) {
    const y = area.y + area.h - (t / bins.top) * area.h;
    root.append(svg('line', {x1: area.x, x2: area.x + area.w, y1: y, y2: y, class: 'grid'}),
      textAt(area.x - 5, y + 3.5, 'tick', 'end', grouped(t)));
  }
  drawBars(root, tree, bins, area, true);
  markRow(root, tree, node, bins, area);
  if (bins.numeric) {
    for (const t of ticks(bins.low, bins.high, 4)) {
      root.append(textAt(area.x + ((t - bins.low) / (bins.high - bins.low)) * area.w, area.y + area.h + 16, 'tick', 'middle', brief(t)));
    }
    for (const cut of bins.cuts.slice(0, 8)) {
      const x = area.x + ((cut - bins.low) / (bins.high - bins.low)) * area.w;
      root.append(svg('text', {x, y: 8, class: 'tick cut-name', 'text-anchor': x > width - 60 ? 'end' : x < 60 ? 'start' : 'middle'}, briefCut(cut)));
    }
  } else {
    const step = area.w / bins.bars.length;
    bins.bars.forEach((bar, i) => {
      const x = area.x + (i + 0.5) * step;
      root.append(svg('text', {x, y: area.y + area.h + 10, class: 'tick', 'text-anchor': 'end', transform: `rotate(-38 ${x} ${area.y + area.h + 10})`}, clip(shownName(bar.name), 12)));
    });
  }
  const rows = shownRows();
  const notes = [`${grouped(bins.n)} ${rowsName(rows)}${rows.spec.step > 1 ? ` (1 in ${rows.spec.step})` : ''}`];
  if (bins.missing) notes.push(`${grouped(bins.missing)} missing`);
  if (bins.unseen) notes.push(`${grouped(bins.unseen)} of unseen values`);
  if (bins.hidden > 0) notes.push(`${bins.hidden} more levels not drawn`);
  if (bins.thin) notes.push(bins.thin);
  return figure(root, el('figcaption', {class: 'muted'}, notes.join(' · ')));
}

function missingWords(tree, node) {
  const to = tree.missing_to[node];
  const way = (child) => conditionWords(condition(tree, node, child, 4, 3));
  if (to >= 0) return `follow ${way(to)}`;
  if (to === BY_SHARE) return 'split across all branches';
  if (to === STOPS) return 'stop at this node';
  return to === SURROGATE ? `by surrogates, else follow ${way(largestChild(tree, node))}` : 'by surrogates, else stop here';
}

function shareList(tree, node) {
  const target = shownTarget();
  const shares = tree.shares(node, app.output);
  const order = shares.map((_, i) => i).sort((a, b) => shares[b] - shares[a] || a - b).filter((i) => shares[i] > 0).slice(0, 8);
  return el('ul', {class: 'bars'}, order.map((i) => el('li', {},
    el('span', {class: 'bar-name', title: target.levels[i]}, clip(shownName(target.levels[i]), 24)),
    span('bar-track', bar(`width:${(100 * shares[i]).toFixed(2)}%;background:${classColour(i)}`)),
    span('bar-value', shownShare(shares[i])))));
}

// Tests of other columns that the model has kept beside the node's own.
function alternatives(tree, node) {
  const out = {0: [], 1: []};
  for (let i = tree.altAt[node]; i < tree.altAt[node + 1]; i++) {
    const column = tree.alt_column[i], kind = tree.alt_kind[i], names = field(column).levels;
    const value = kind === NUMERIC ? shownCut(tree.alt_threshold[i]) : kind === SUBSET ? '' : shownName(names[tree.alt_threshold[i]] ?? '');
    const sign = {[NUMERIC]: '≤', [ORDINAL]: '<', [EQUALITY]: '=', [SUBSET]: 'by set'}[kind];
    out[tree.alt_role[i]].push([shownName(field(column).name), `${sign} ${value}`, brief(tree.alt_role[i] ? tree.alt_score[i] : tree.alt_score[i] / tree.weights[0])]);
  }
  const list = (title, rows, score) => rows.length > 0 && el('details', {}, el('summary', {}, title),
    el('table', {class: 'list tight'}, el('thead', {}, tr(el('th', {}, 'Column'), el('th', {}, 'Test'), el('th', {class: 'number'}, score))),
      el('tbody', {}, rows.map(([name, test, value]) => tr(el('td', {}, name), el('td', {}, test), el('td', {class: 'number'}, value))))));
  return [list(`Competitors (${out[0].length})`, out[0], 'Gain per row of all'), list(`Surrogates (${out[1].length})`, out[1], 'Agreement')];
}

function drawNodePanel() {
  const tree = app.tree, node = app.selected;
  const box = clear(byId('node'));
  const inner = !tree.isLeaf(node) && !isClosed(tree, node);
  const target = shownTarget();
  const held = tree.held_rows ? tree.held_rows[node] : null, losses = tree.losses('held');
  box.append(el('h2', {}, inner ? testTitle(tree, node) : answerText(tree.answer(node, app.output), app.output),
    span('tag', `${inner ? 'node' : isPruned(tree, node) && !tree.isLeaf(node) ? 'pruned node' : 'leaf'} ${node}${isForest() ? ' of ' + treeWords() : ''}`)));
  if (inner) box.append(bigHistogram(tree, node) || note(shownRows() ? 'No row of the data reaches this node.' : 'Give the report rows to see the distribution here.'));
  box.append(el('h3', {}, tree.isClass ? `Prediction: ${toldAnswer(tree, node, app.output)}`
    : `${app.data.effect ? `Effect of ${shownName(app.data.effect.treatment)} on ` : ''}${shownName(target.name)}: ${answerText(tree.answer(node, app.output), app.output)}`));
  if (tree.isClass) box.append(shareList(tree, node));
  box.append(el('dl', {class: 'facts'},
    effectRange(tree, node) && fact('Interval', effectRange(tree, node)),
    armsWords(tree, node) && fact('Rows', armsWords(tree, node)),
    tree.hasStatistics && fact('Training rows', `${grouped(tree.n_rows[node])}, ${shownShare(tree.weights[node] / tree.weights[0])} of all`),
    tree.impurity && !app.data.effect && fact('Impurity', `${brief(tree.impurity[node])} (${app.data.criterion})`),
    inner && tree.gain && fact('Gain', `${brief(tree.gain[node] / tree.weights[0])} per row of all`),
    held !== null && !isTraining() && fact('Evaluation rows', grouped(held)),
    held > 0 && fact(`${MEASURES[app.data.measure].title}, ${givenRows()}`, errorText(losses.leaf[node] / held)),
    inner && fact('Missing cells', missingWords(tree, node))));
  if (inner) box.append(...alternatives(tree, node).filter(Boolean));
  if (inner) box.append(...whyPanel(node));
  const way = wayWords(tree, node);
  if (way.length) {
    box.append(el('h3', {}, 'Path to this node'), el('ol', {class: 'way'}, shortened(way, 30, (step) => el('li', {},
      el('button', {class: 'link-button', onclick: () => { select(step.node); reveal(step.node); }}, step.text)))));
  }
  if (!tree.isLeaf(node) && !isClosed(tree, node)) {
    box.append(el('button', {onclick: () => toggleFold(node)}, app.folded[node] ? `Unfold (${leavesText(leavesBelow(tree, node))} below)` : 'Fold'));
  }
}
