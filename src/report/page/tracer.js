// SPDX-License-Identifier: Apache-2.0
// The tracer: a row of the data or typed values, its way through the tree, the decision in words, and the
// smallest change that would give another answer.

const tracer = {cells: null, row: -1, inputs: [], turn: 0};

function clearTrace() {
  app.path = null;
  tracer.cells = null;
  tracer.row = -1;
  if (byId('row-number')) byId('row-number').value = '';
  showCells();
  tracer.turn++;
  byId('tracer').classList.add('idle');
  clear(byId('decision')).append(note(traceHint()));
  drawNodePanel();
  keepPlace();
  queueDraw();
}
const traceHint = () => (app.rows || app.training ? 'Pick a row or change a value to see its path.' : 'Type values to see the path of a row. Empty fields count as missing.');
const traceRows = () => app.rows || app.training;

function pickRow(row) {
  const rows = traceRows();
  tracer.row = ((row % rows.n) + rows.n) % rows.n;
  tracer.cells = rows.cells(tracer.row);
  byId('row-number').value = rows.number(tracer.row);
  showCells();
  traceRow();
}
// The page opens with a row on its way, as far as the tree is unfolded.
function openRow() {
  const rows = traceRows();
  if (!rows || !rows.n || app.tree.isLeaf(0) || tracer.cells) return;
  tracer.row = 0;
  tracer.cells = rows.cells(0);
  byId('row-number').value = rows.number(0);
  showCells();
  traceRow(true);
}
// The next row that the tree as it is shown gets wrong; of several trees, all of them together.
function nextWrong() {
  const rows = traceRows(), tree = app.tree;
  const whole = isForest() || (!app.step && app.level === Infinity);
  const closed = (node) => isClosed(tree, node);
  const isWrong = (row) => (whole ? rows.isWrong(row, app.output)
    : finalAnswer(treeAnswer(tree, rows.cells(row), closed), app.output) !== rows.truth[app.output][row]);
  for (let i = 1; i <= rows.n; i++) {
    const row = (tracer.row + i + rows.n) % rows.n;
    if (isWrong(row)) return pickRow(row);
  }
  const words = `${whole ? 'The model' : 'The tree as it is shown'} gets every row right.`;
  clear(byId('decision')).append(el('p', {}, words));
  say(words);
}

function usedColumns(tree) {
  const used = new Set();
  for (let i = 0; i < tree.n; i++) {
    if (tree.kind[i] === OBLIQUE) for (let t = tree.termAt[i]; t < tree.termAt[i + 1]; t++) used.add(tree.term_column[t]);
    else if (!tree.isLeaf(i)) used.add(tree.column[i]);
  }
  if (tree.alt_column) for (let i = 0; i < tree.alt_column.length; i++) if (tree.alt_role[i] === 1) used.add(tree.alt_column[i]);
  return used;
}

function cellInput(column) {
  const {name, kind, levels, quantiles} = field(column);
  const id = 'cell' + column;
  const read = (event) => {
    const text = event.target.value;
    const number = text === '' ? NaN : Number(text);
    event.target.classList.toggle('bad', text !== '' && isNaN(number));
    tracer.row = -1;
    byId('row-number') && (byId('row-number').value = '');
    if (!tracer.cells) tracer.cells = app.data.features.map(() => NaN);
    tracer.cells[column] = number;
    traceRow();
  };
  const input = kind === 'numeric'
    ? el('input', {id, type: 'text', inputmode: 'decimal', autocomplete: 'off', placeholder: 'missing', oninput: read,
      title: quantiles ? `from ${brief(quantiles[0])} to ${brief(quantiles[4])}` : null})
    : el('select', {id, onchange: read}, el('option', {value: ''}, '(missing)'), levels.map((level, i) => el('option', {value: i}, clip(shownName(level), 40))),
      kind === 'category' && el('option', {value: -1}, '(not seen in training)'));
  tracer.inputs[column] = input;
  return div('cell', el('label', {for: id, title: name}, clip(shownName(name), 28)), input);
}
function showCells() {
  tracer.inputs.forEach((input, column) => {
    const cell = tracer.cells ? tracer.cells[column] : NaN;
    input.value = isNaN(cell) ? '' : shortest(cell);
    input.classList.remove('bad');
  });
}

const traceRow = contained('decision', (opening = false) => trace(opening));
async function trace(opening) {
  const tree = app.tree, row = tracer.cells;
  if (!row) return;
  const closed = (node) => isClosed(tree, node);
  const why = explainRow(tree, row, closed);
  app.path = why;
  if (!opening) {
    const hidden = why.nodes.slice(0, -1).filter((node) => app.folded[node]);
    if (hidden.length && !app.foldedByHand) {
      // What was unfolded for another row makes room for this one.
      foldDeep(undefined, undefined, undefined, why.nodes);
      arrange();
      fitView(LEAST);
    } else if (hidden.length) {
      for (const node of hidden) app.folded[node] = 0;
      arrange();
    }
    app.selected = why.leaf;
    emit('select');
    revealWay(why.nodes);
  }
  queueDraw();
  const rows = traceRows();
  const truth = tracer.row >= 0 && rows.truth[app.output] ? rows.truth[app.output][tracer.row] : null;
  const turn = ++tracer.turn, own = finalAnswer(why.answer, app.output), several = isForest();
  const answer = several ? finalAnswer(combined(await allTrees(), row), app.output) : own;
  if (turn !== tracer.turn) return;
  byId('tracer').classList.remove('idle');
  const box = clear(byId('decision'));
  box.append(el('p', {class: 'verdict'}, swatch(tree.answerColour(answer, app.output)), el('b', {id: 'together'}, answerText(answer, app.output)),
    truth !== null && span('tag ' + (tree.isClass ? (truth === answer ? 'good' : 'wrong') : ''),
      truth < 0 && tree.isClass ? 'of a class the model does not know' : `truth: ${answerText(truth, app.output)}`)));
  if (several) box.append(el('p', {class: 'muted', id: 'tree-says'}, `This is the prediction of all ${app.data.trees.length} trees. The displayed ${treeWords()} predicts ${answerText(own, app.output)}:`));
  box.append(el('ol', {class: 'way', id: 'sentences'}, shortened(why.sentences, 40, (text) => el('li', {}, text))));
  box.append(flipPanel(tree, row, closed, own));
  if (!opening) say(why.sentences.slice(-20).join(' '));
}

function drawTracer() {
  const box = clear(byId('tracer'));
  const rows = traceRows();
  tracer.inputs = [];
  box.classList.toggle('idle', !tracer.cells);
  box.append(el('h2', {}, 'Trace a row'));
  if (rows) {
    box.append(div('tools',
      el('button', {'aria-label': 'Previous row', onclick: () => pickRow(tracer.row - 1)}, '‹'),
      el('input', {id: 'row-number', type: 'number', min: 1, max: rows.spec.rows, placeholder: 'row', 'aria-label': 'Row number',
        onchange: (event) => { if (event.target.value) pickRow(rows.rowOf(Number(event.target.value))); }}),
      el('button', {'aria-label': 'Next row', onclick: () => pickRow(tracer.row + 1)}, '›'),
      rows.truth[app.output] && app.data.task === 'classification' && el('button', {id: 'next-wrong', onclick: nextWrong}, 'Next error'),
      el('button', {class: 'quiet', onclick: clearTrace}, 'Clear')));
    if (rows.spec.step > 1) box.append(note(thinnedWords(rows) + '.'));
  }
  const used = usedColumns(app.tree);
  const order = app.data.features.map((_, i) => i);
  const shown = order.filter((i) => used.has(i)).slice(0, 200);
  const others = order.filter((i) => !used.has(i)).slice(0, 200);
  // The decision comes first: it is what people look for, and the cells may be many.
  box.append(el('div', {id: 'decision'}, note(traceHint())));
  box.append(div('cells', shown.map(cellInput)));
  if (others.length) box.append(el('details', {}, el('summary', {}, `${counted(others.length, 'column')} that this tree does not test`), div('cells', others.map(cellInput))));
  if (!shown.length) box.append(note('The tree tests no column: every row gets the same prediction.'));
  if (tracer.cells) { showCells(); traceRow(); } else openRow();
}
