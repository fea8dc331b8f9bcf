/* Sphinx's scores, but for history: what is decided and what changed come after what is so. */
var Scorer = {
  score: (result) => {
    const [docname, , , , score] = result;
    return /^(decisions\/|changelog|contributing)/.test(docname) ? score - 10 : score;
  },
  objNameMatch: 11, objPartialMatch: 6, objPrio: { 0: 15, 1: 5, 2: -5 }, objPrioDefault: 0,
  title: 15, partialTitle: 7, term: 5, partialTerm: 2,
};
