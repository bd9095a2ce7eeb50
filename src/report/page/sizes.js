// SPDX-License-Identifier: Apache-2.0
// What else could have been chosen: trees of other sizes, grown and searched, and other columns at the root.

const WAYS = [[false, 'grown and pruned', '#0072B2'], [true, 'searched', '#C04F00']];

const hasSizes = () => Boolean(app.data.sizes || app.data.roots);

function sizesChart({rows, chosen}) {
  const scale = (leaves) => Math.log2(Math.max(leaves, 1));
  const most = Math.max(...rows.map((row) => row.leaves), 2);
  const top = Math.max(...rows.map((row) => shownError(row.error)), 1e-12);
  const powers = Array.from({length: Math.floor(scale(most)) + 1}, (_, i) => i), skip = Math.ceil(powers.length / 10);
  const chart = frame({width: 460, height: 240, x: [0, scale(most)], y: [0, top], label: 'Cross-validated error over leaves', xLabel: 'leaves',
    yLabel: `${inSentence(MEASURES[app.data.measure].title)} of unseen rows`, xTicks: powers.filter((i) => i % skip === 0), xFormat: (t) => grouped(2 ** t),
    yFormat: app.data.measure === 'class_error' ? shownShare : brief, left: 54});
  const spot = (row) => [chart.x(scale(row.leaves)), chart.y(shownError(row.error))];
  for (const [searched, name, colour] of WAYS) {
    const list = rows.filter((row) => row.searched === searched);
    if (!list.length) continue;
    chart.plot.append(svg('path', {d: pathOf(list.map(spot)), class: 'curve', stroke: colour}));
    for (const row of list) {
      const [x, y] = spot(row), r = row === rows[chosen] ? 5 : 2.5;
      chart.plot.append(svg('circle', {cx: x.toFixed(1), cy: y.toFixed(1), r, fill: colour}, svg('title', {}, `${leavesText(row.leaves)}, ${name}\n${errorText(row.error)} ± ${spreadText(row.error, row.spread)}`)));
    }
  }
  const x = chart.x(scale(rows[chosen].leaves));
  chart.plot.append(svg('line', {x1: x, x2: x, y1: chart.top, y2: chart.top + chart.inner.h, class: 'guide'}));
  return chart.root;
}

function sizesTable({rows, chosen}) {
  const number = (title, value, show) => ({title, number: true, value, show});
  const columns = [
    {title: 'Tree', value: (row) => (row.searched ? 1 : 0), show: (row) => (row.searched ? 'searched' : 'grown and pruned') + (row === rows[chosen] ? ', chosen' : '')},
    number('Leaves', (row) => row.leaves, (row) => grouped(row.leaves)),
    number('Training error', (row) => row.training, (row) => errorText(row.training)),
    number('Error of unseen rows', (row) => row.error, (row) => `${errorText(row.error)} ± ${spreadText(row.error, row.spread)}`),
    app.data.measure === 'class_error' && number('Log loss', (row) => row.loss, (row) => brief(row.loss)),
    number('Shrinkage', (row) => row.shrinkage, (row) => brief(row.shrinkage)),
  ].filter(Boolean);
  return sortedTable({items: rows, columns, sort: 1, descending: false, label: 'The path of sizes', page: 12});
}

function rootsTable({list, slack}) {
  const columns = [
    {title: 'Column at the root', value: (root) => root.column, show: (root) => shownName(root.column)},
    {title: 'Test', value: (root) => root.test, show: (root) => root.test, wide: true},
    {title: 'Training errors', number: true, value: (root) => root.errors, show: (root) => brief(root.errors)},
    {title: 'Leaves', number: true, value: (root) => root.leaves, show: (root) => grouped(root.leaves)},
    {title: 'As good', value: (root) => (root.near ? 0 : 1), show: (root) => (root.near ? 'yes' : '')},
  ];
  return el('section', {}, el('h3', {}, 'Another column at the root'),
    note(`The best tree found for every column at the root, with no more leaves than this one. A tree within one standard error (${brief(slack)}) of the fewest errors is as good as the best.`),
    sortedTable({items: list, columns, sort: 2, descending: false, label: 'Trees with another column at the root', page: 10}));
}

function drawSizes() {
  const {sizes, roots} = app.data;
  clear(byId('sizes')).append(el('h2', {}, 'Other trees'), div('figures', [
    sizes && el('section', {}, el('h3', {}, 'The path of sizes'), ...sizes.words.split('\n').map((line) => el('p', {}, line)), sizesChart(sizes),
      legend(WAYS.filter(([searched]) => sizes.rows.some((row) => row.searched === searched)).map(([, name, colour]) => [colour, name])),
      note(`Errors by ${sizes.folds}-fold cross-validation; the dashed line is the tree of this model.`), sizesTable(sizes)),
    roots && rootsTable(roots)].filter(Boolean)));
}
