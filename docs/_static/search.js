// SPDX-License-Identifier: Apache-2.0
// Search: pages for users before pages for engineers and single names of the reference, pages whose keywords (docs/_ext/synonyms.py)
// are the words searched for before all others, and excerpts where a browser lets pages be fetched (not from a disk).
"use strict";

DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = window.location.protocol !== "file:";

const WANTED = (new URLSearchParams(window.location.search).get("q") || "").toLowerCase().split(/\s+/);

const isWanted = (docname) => {
  const words = typeof PAGE_KEYWORDS === "undefined" ? [] : (PAGE_KEYWORDS[docname] || "").split(" ");
  return WANTED.every((word) => words.includes(word));
};

var Scorer = {
  score: (result) => {
    const [docname, , , , given, , kind] = result;
    const score = given + (isWanted(docname) && kind !== "object" ? 8 : 0);
    if (docname.startsWith("reference/cpp/")) return score - 20;
    if (kind === "object") return score - 6;
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
