// SPDX-License-Identifier: Apache-2.0
// Models of several trees: the error against their number, how large they are, and the tree most like all together.

// Pages of single trees are written without what stands between the two marks (src/report/page.cpp).
'forest begins';
function bagCurve(curve) {
  const show = MEASURES[curve.measure].show || Number;
  const points = curve.trees.map((n, i) => [n, curve.errors[i]]).filter((p) => p[1] !== null).map(([n, e]) => [n, show(e)]);
  const most = curve.trees[curve.trees.length - 1];
  const chart = frame({width: 352, height: 200, x: [1, Math.max(most, 2)], y: [0, Math.max(...points.map((p) => p[1]), 1e-12)], label: 'Out-of-bag error against trees',
    xLabel: 'trees', yLabel: inSentence(MEASURES[curve.measure].title), xFormat: grouped, yFormat: curve.measure === 'class_error' ? shownShare : brief, left: 54});
  chart.plot.append(svg('path', {d: pathOf(points.map(([n, e]) => [chart.x(n), chart.y(e)])), class: 'curve', stroke: '#009E73'}));
  for (const [n, e] of points) chart.plot.append(svg('circle', {cx: chart.x(n).toFixed(1), cy: chart.y(e).toFixed(1), r: 5, class: 'sense'}, svg('title', {}, `${counted(n, 'tree')}: ${curve.measure === 'class_error' ? shownShare(e) : brief(e)}`)));
  const last = points[points.length - 1];
  return el('figure', {id: 'bag-curve'}, el('h3', {}, 'Out-of-bag error'), chart.root,
    el('figcaption', {class: 'muted'}, `Each row is predicted by the trees whose sample left it out. All ${grouped(most)} trees: `,
      el('b', {}, curve.measure === 'class_error' ? shownShare(last[1]) : brief(last[1])), ` on ${counted(curve.rows, 'row')}.`));
}

// How many trees have so many leaves; the shown one is marked.
function sizeChart(values, name) {
  const low = Math.min(...values), high = Math.max(...values), bins = Math.min(20, high - low + 1), counts = new Array(bins).fill(0);
  const bin = (v) => Math.min(bins - 1, Math.floor(((v - low) / (high - low + 1)) * bins));
  for (const v of values) counts[bin(v)]++;
  // Where a bar stands for one value, its label is below its middle.
  const from = bins === high - low + 1 ? low - 0.5 : low, to = from + high - low + 1;
  const chart = frame({width: 352, height: 160, x: [from, to], xTicks: ticks(from, to, 5).filter(Number.isInteger), y: [0, Math.max(...counts)], label: `${name} of the trees`, xLabel: name, yLabel: 'trees', xFormat: grouped, yFormat: grouped});
  const edge = (i) => chart.x(from + ((to - from) * i) / bins);
  counts.forEach((n, i) => chart.plot.append(svg('rect', {x: edge(i) + 0.5, y: chart.y(n), width: Math.max(edge(i + 1) - edge(i) - 1, 0.5), height: chart.y(0) - chart.y(n), fill: '#0072B2', opacity: i === bin(values[app.index]) ? 1 : 0.45}, svg('title', {}, `${counted(n, 'tree')}`))));
  return chart.root;
}

function bagImportance(found) {
  const what = found.measure === 'class_error' ? 'error rate' : 'mean squared error';
  return importanceList('Out of bag', `How much the ${what} of a tree rises on its out-of-bag rows when the column is shuffled among them; mean of the trees, with its 95% interval.`,
    app.data.features.map((feature, i) => ({name: feature.name, value: found.mean[i], low: found.mean[i] - 1.96 * found.standard_error[i],
      high: found.mean[i] + 1.96 * found.standard_error[i], text: significant(found.mean[i], 3)})).sort((a, b) => b.value - a.value));
}

const pickTree = async (i) => { app.index = i; byId('tree-choice').value = i; await showTree(); };

function drawForest() {
  const box = byId('forest'), {forest, trees} = app.data;
  const like = forest.representative, figures = div('figures');
  if (forest.curve) figures.append(bagCurve(forest.curve));
  figures.append(figure(el('h3', {}, 'Sizes of the trees'), sizeChart(trees.map((tree) => tree.leaves), 'leaves'), sizeChart(trees.map((tree) => tree.depth), 'depth'),
    el('figcaption', {class: 'muted'}, `The darker bar holds ${treeWords()}.`)));
  if (like !== undefined) {
    const order = forest.distances.map((_, i) => i).sort((a, b) => forest.distances[a] - forest.distances[b]);
    figures.append(el('figure', {id: 'likeness'}, el('h3', {}, 'Trees closest to the whole forest'),
      el('table', {class: 'list tight'}, el('thead', {}, tr(el('th', {scope: 'col'}, 'Tree'), el('th', {scope: 'col', class: 'number'}, 'Leaves'), el('th', {scope: 'col', class: 'number'}, 'Distance'), el('th', {}))),
        el('tbody', {}, order.slice(0, 6).map((i) => tr(el('td', {}, `${i + 1}${i === like ? ' (representative)' : ''}`), el('td', {class: 'number'}, grouped(trees[i].leaves)),
          el('td', {class: 'number'}, significant(forest.distances[i], 3)), el('td', {}, i === app.index ? 'shown' : el('button', {class: 'quiet', onclick: () => pickTree(i)}, 'Show')))))),
      el('figcaption', {class: 'muted'}, app.data.task === 'classification' ? 'Distance: mean squared difference between the class shares of the tree and those of the model.' : 'Distance: mean squared difference between the predictions of the tree and those of the model, divided by the variance of the latter.')));
  }
  clear(box).append(el('h2', {}, 'The forest', span('tag', counted(trees.length, 'tree'))), figures);
  if (!forest.curve && forest.bagged) box.append(note(forest.refused ? `No out-of-bag errors: ${forest.refused}.` : 'Out-of-bag errors need the rows that the forest was grown on: give the report the training rows.'));
}
'forest ends';
