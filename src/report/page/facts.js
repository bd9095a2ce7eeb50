// SPDX-License-Identifier: Apache-2.0
// The data dictionary, the parameters, and where the model came from.

function dictionary() {
  const {features, described} = app.data;
  const uses = new Float64Array(features.length);
  for (let i = 0; i < app.tree.n; i++) {
    if (app.tree.kind[i] === OBLIQUE) for (let t = app.tree.termAt[i]; t < app.tree.termAt[i + 1]; t++) uses[app.tree.term_column[t]]++;
    else if (!app.tree.isLeaf(i)) uses[app.tree.column[i]]++;
  }
  const holds = (feature) => {
    if (feature.kind === 'numeric') {
      if (!feature.quantiles) return '';
      const [low, first, middle, third, high] = feature.quantiles.map((value) => (value === null ? '–' : brief(value)));
      return `${low} to ${high}; quartiles ${first}, ${middle}, ${third}`;
    }
    const order = feature.levels.map((_, i) => i);
    if (feature.counts && feature.kind === 'category') order.sort((a, b) => feature.counts[b] - feature.counts[a]);
    const list = order.slice(0, 8).map((i) => shownName(feature.levels[i]) + (feature.counts ? ` (${grouped(feature.counts[i])})` : ''));
    return `${counted(feature.levels.length, 'level')}: ${list.join(feature.kind === 'ordinal' ? ' < ' : ', ')}${order.length > 8 ? ', …' : ''}`;
  };
  const columns = [
    {title: 'Column', value: (f) => f.name, show: (f) => el('span', {title: f.name}, shownName(f.name)), style: 'short'},
    {title: 'Kind', value: (f) => f.kind, show: (f) => f.kind},
    {title: isForest() ? `Splits (${treeWords()})` : 'Splits', number: true, value: (f) => uses[features.indexOf(f)], show: (f) => grouped(uses[features.indexOf(f)])},
    described && {title: 'Missing', number: true, value: (f) => f.missing, show: (f) => grouped(f.missing)},
    {title: described === 'training' ? 'Values (training rows)' : described ? `Values (${givenRows()})` : 'Values', value: holds, show: holds, wide: true},
  ].filter(Boolean);
  return sortedTable({items: features, columns, sort: 2, label: 'Data dictionary', page: 20});
}

const drawDictionary = () => clear(byId('data-panel')).append(el('h2', {}, 'Data dictionary'), dictionary());

function drawFacts() {
  const {provenance, params, version, criterion, task, targets, trees, combine, effect} = app.data;
  const changed = params.filter(([, value, standard]) => value !== standard);
  const table = (rows) => el('table', {class: 'list tight'}, el('tbody', {}, rows.map(([name, value, , , doc]) =>
    el('tr', {title: doc}, el('th', {scope: 'row'}, name), el('td', {class: 'wide'}, value)))));
  const size = trees.length === 1 ? `${counted(trees[0].nodes, 'node')}, depth ${trees[0].depth}`
    : `${counted(trees.length, 'tree')} (${combine}), ${counted(trees.reduce((sum, tree) => sum + tree.nodes, 0), 'node')}`;
  clear(byId('model')).append(el('h2', {}, 'Model'), div('figures',
    el('section', {}, el('h3', {}, 'Where it came from'), el('dl', {class: 'facts'},
      fact('Task', effect ? `effect of ${shownName(effect.treatment)} on ${shownName(targets[0].name)}` : `${task} of ${targets.map((target) => shownName(target.name)).join(', ')}`),
      fact('Size', size), fact('Criterion', criterion),
      provenance.rows > 0 && fact('Training rows', grouped(provenance.rows)),
      provenance.command && fact('Made by', el('code', {}, provenance.command)),
      provenance.library_version && fact('Trained by', `bough ${provenance.library_version}`),
      fact('Report by', `bough ${version}`),
      provenance.data_hash && fact('Data hash', el('code', {}, provenance.data_hash)),
      provenance.notes.length > 0 && fact('Notes', el('ul', {}, provenance.notes.map((note) => el('li', {}, note)))))),
    el('section', {}, el('h3', {}, 'Parameters'), changed.length ? table(changed) : note('All parameters have their defaults.'),
      el('details', {}, el('summary', {}, `All ${params.length} parameters`), table(params)))));
}
