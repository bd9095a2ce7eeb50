// SPDX-License-Identifier: Apache-2.0
// Search: pages for users before pages for engineers, and excerpts where a browser lets pages be fetched (not from a disk).
"use strict";

DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = window.location.protocol !== "file:";

var Scorer = {
  score: (result) => {
    const [docname, , , , score] = result;
    if (/^(start|guide\/|gallery\/|migration\/)/.test(docname)) return score + 5;
    if (/^(engineer\/|project\/|dependencies|threat_model|reliability)/.test(docname)) return score - 10;
    return score;
  },
  // Sphinx's own figures.
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
