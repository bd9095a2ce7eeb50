// SPDX-License-Identifier: Apache-2.0
// Which columns matter: by the impurity they took away in training, and by what shuffling them costs on other rows.

function importanceList(title, note, entries) {
  const top = Math.max(...entries.map((entry) => entry.high ?? entry.value), 1e-12);
  const low = Math.min(0, ...entries.map((entry) => entry.low ?? entry.value));
  const place = (value) => (100 * (value - low)) / (top - low);
  const shown = entries.filter((entry) => entry.value !== 0 || entries.length <= 12).slice(0, 20);
  return figure(el('h3', {}, title), el('ul', {class: 'bars wide'}, shown.map((entry) => el('li', {},
    el('span', {class: 'bar-name', title: entry.name}, clip(shownName(entry.name), 26)),
    el('span', {class: 'bar-track', title: `${entry.name}: ${entry.text}`},
      bar(`left:${Math.min(place(0), place(entry.value)).toFixed(2)}%;width:${Math.abs(place(entry.value) - place(0)).toFixed(2)}%`),
      entry.low !== undefined && el('span', {class: 'whisker', style: `left:${place(entry.low).toFixed(2)}%;width:${(place(entry.high) - place(entry.low)).toFixed(2)}%`})),
    el('span', {class: 'bar-value', title: entry.low === undefined ? null : `${brief(entry.low)} to ${brief(entry.high)}`}, entry.text)))),
  el('figcaption', {class: 'muted'}, note, shown.length < entries.length ? ` ${entries.length - shown.length} more columns are not shown.` : ''));
}

function drawImportance() {
  const names = app.data.features.map((feature) => feature.name);
  const sorted = (list) => list.sort((a, b) => b.value - a.value);
  const box = clear(byId('importance'));
  box.append(el('h2', {}, 'Feature importance'));
  const figures = div('figures');
  figures.append(importanceList(app.data.effect ? 'By gain' : 'By impurity', `${app.data.effect ? 'Share of the gain of all splits' : 'Share of the impurity removed by splits'} on the column in training. Columns with many values look better than they are.`,
    sorted(app.data.importances.map((value, i) => ({name: names[i], value: value || 0, text: shownShare(value || 0)})))));
  const shuffled = app.data.permutation;
  if (shuffled) {
    figures.append(importanceList('By permutation', `How much ${inSentence(SCORES[shuffled.measure] || shuffled.measure)} falls on the ${givenRows()} when the column is shuffled; mean of ${counted(shuffled.repeats, 'shuffle')}, with its 95% interval.`,
      sorted(shuffled.mean.map((value, i) => ({name: names[i], value, low: shuffled.low[i], high: shuffled.high[i], text: significant(value, 3)})))));
  } else {
    figures.append(figure(el('h3', {}, 'By permutation'), note(app.data.effect ? 'No row shows its own effect, so there is no score for shuffling to lower.' : 'What shuffling a column costs is measured on labelled rows: give the report data.')));
  }
  if (app.data.forest && app.data.forest.importance) figures.append(bagImportance(app.data.forest.importance));
  box.append(figures);
}
