/* A field above long lists: only what has all the words, and one of the chosen states, is shown. */
(function () {
  "use strict";

  /* What was searched for, when the page is opened from the results: read before Sphinx clears it. */
  const searched = (() => {
    try { return window.localStorage.getItem("sphinx_highlight_terms") || ""; } catch { return ""; }
  })();

  function element(tag, attributes, text) {
    const made = document.createElement(tag);
    for (const name in attributes) made.setAttribute(name, attributes[name]);
    if (text) made.textContent = text;
    return made;
  }

  /* What is filtered on this page: items with their text and state, and the sections around them. */
  function itemsOf(article) {
    const folded = [...article.querySelectorAll("details.construct")];
    if (folded.length > 20) {
      return folded.map((node) => ({ node, state: node.dataset.state, text: node.textContent.toLowerCase() }));
    }
    if (!document.body.querySelector("#operations")) return [];
    return [...article.querySelectorAll("section section table.docutils tbody tr")]
      .filter((row) => row.closest("section").id !== "conventions")
      .map((node) => {
        const cells = [...node.cells].slice(1).map((cell) => cell.textContent.trim()).filter(Boolean);
        return { node, state: cells.every((cell) => cell === "yes") ? "compiled" : "with an exception",
                 text: node.cells[0].textContent.toLowerCase() };
      });
  }

  function counts(items) {
    const found = new Map();
    for (const item of items) found.set(item.state, (found.get(item.state) || 0) + 1);
    return found;
  }

  function start() {
    const article = document.querySelector("article");
    const items = article ? itemsOf(article) : [];
    if (!items.length) return;
    const sections = [...article.querySelectorAll("section section")]
      .map((node) => ({ node, own: items.filter((item) => node.contains(item.node)) }))
      .filter((one) => one.own.length);
    const bar = element("div", { class: "filter", role: "search" });
    const field = element("input", { type: "search", placeholder: items[0].node.tagName === "DETAILS" ? "Filter: nonlocal, while else, deque …" : "Filter: np.linalg, cumsum, bessel …",
                                     "aria-label": "Filter this page" });
    const told = element("output", { class: "told" });
    const off = new Set();
    bar.append(field);
    for (const [state, n] of counts(items)) {
      const button = element("button", { type: "button", "aria-pressed": "true" }, `${state} ${n}`);
      button.addEventListener("click", () => {
        if (!off.delete(state)) off.add(state);
        button.setAttribute("aria-pressed", String(!off.has(state)));
        apply();
      });
      bar.append(button);
    }
    bar.append(told);
    article.querySelector("section section").before(bar);

    function apply() {
      const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      for (const item of items) {
        const fits = !off.has(item.state) && words.every((word) => item.text.includes(word));
        item.node.hidden = !fits;
        shown += fits;
        if (item.node.tagName === "DETAILS") item.fits = fits;
      }
      for (const { node, own } of sections) node.hidden = own.every((item) => item.node.hidden);
      told.textContent = words.length || off.size ? `${shown} of ${items.length}` : "";
      if (words.length && shown && shown <= 3) {
        for (const item of items) if (item.fits) item.node.open = true;
      }
    }
    field.addEventListener("input", apply);
    const asked = new URLSearchParams(location.search);
    field.value = asked.get("filter") || searched;
    if (field.value) apply();
    if (!told.textContent.startsWith("0 ")) return;
    field.value = "";
    apply();
  }

  document.addEventListener("DOMContentLoaded", start);
})();
