"use strict";
(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const statements = all(".st");
  const byKey = new Map(statements.map((s) => [s.dataset.key, s]));
  const says = document.getElementById("says");
  const usual = says.innerHTML;
  const root = document.documentElement;
  let pinned = null;

  const counterparts = (s) => (s.dataset.to || "").split(" ").map((key) => byKey.get(key)).filter(Boolean);
  const isAdjoint = (s) => s.dataset.role === "adjoint";
  const lineOf = (s) => s.dataset.line;

  function clear() {
    for (const s of all(".here, .lit")) s.classList.remove("here", "lit", "adj");
  }

  function light(s) {
    clear();
    if (!s) { says.innerHTML = usual; return; }
    s.classList.add("here");
    for (const other of counterparts(s)) {
      const adjoint = isAdjoint(other) || isAdjoint(s);
      for (const part of [other, other.closest(".fn")]) {
        part.classList.add("lit");
        part.classList.toggle("adj", adjoint);
      }
    }
    tell(s);
  }

  const spans = (list) => list.map(lineOf).join(", ");
  function tell(s) {
    const near = counterparts(s), title = document.createElement("b"), text = document.createElement("span");
    const primal = s.closest(".primal") !== null;
    title.textContent = `${primal ? "program" : "derivative"}, line ${lineOf(s)}`;
    const parts = [];
    if (primal) {
      const forward = near.filter((o) => !isAdjoint(o)), backward = near.filter(isAdjoint);
      if (forward.length) parts.push(`computed in ${spans(forward)}`);
      if (backward.length) parts.push(`derivative in ${spans(backward)}`);
    } else if (near.length) {
      const what = { adjoint: "derivative of", again: "computes again", primal: "computes" }[s.dataset.role];
      parts.push(`${what} line ${spans(near)}`);
    }
    if (!near.length) parts.push("no counterpart");
    if (s.dataset.says) parts.push(s.dataset.says);
    text.textContent = parts.join(" \u00b7 ");
    says.replaceChildren(title, text);
  }

  function open(s) {
    const around = s.closest("details");
    if (around) around.open = true;
  }

  function show(s) {
    open(s);
    const pane = s.closest(".pane"), box = pane.getBoundingClientRect(), at = s.getBoundingClientRect();
    if (at.top < box.top + 90 || at.bottom > box.bottom - 30) {
      pane.scrollTop += at.top - box.top - box.height / 3;
    }
  }

  function pin(s) {
    if (pinned) pinned.setAttribute("aria-selected", "false");
    pinned = s === pinned ? null : s;
    if (pinned) {
      pinned.setAttribute("aria-selected", "true");
      light(pinned);
      const near = counterparts(pinned);
      if (near.length) show(near.find(isAdjoint) || near[0]);
    } else light(s);
  }

  function unpin() {
    if (pinned) pin(pinned);
    light(null);
  }

  let tabbed = new Map();
  function focus(s) {
    if (!s) return;
    open(s);
    const list = s.closest(".lines");
    const before = tabbed.get(list) || list.querySelector(".st[tabindex='0']");
    if (before) before.tabIndex = -1;
    s.tabIndex = 0;
    tabbed.set(list, s);
    s.focus({ preventScroll: true });
    show(s);
  }

  for (const s of statements) {
    s.addEventListener("pointerenter", () => { if (!pinned) light(s); });
    s.addEventListener("focus", () => { if (!pinned) light(s); });
    s.addEventListener("click", (event) => { if (!event.target.closest("a")) { focus(s); pin(s); } });
  }
  for (const pane of all(".pane")) {
    pane.addEventListener("pointerleave", () => { if (!pinned && !pane.contains(document.activeElement)) light(null); });
  }
  for (const link of all("[data-goto]")) {
    link.addEventListener("click", (event) => {
      const s = byKey.get(link.dataset.goto);
      if (!s) return;
      event.preventDefault();
      focus(s);
      if (pinned !== s) pin(s);
    });
  }
  for (const link of all(".lines a[href^='#']")) {
    link.addEventListener("click", () => {
      const at = document.getElementById(link.hash.slice(1));
      if (at) at.closest("details").open = true;
    });
  }

  const visible = (pane) => all(".st", pane).filter((s) => s.closest("details").open);
  function step(s, by) {
    const list = visible(s.closest(".pane"));
    focus(list[Math.max(0, Math.min(list.length - 1, list.indexOf(s) + by))]);
  }
  function across(s, right) {
    const target = document.querySelector(right ? ".derivative" : ".primal");
    if (s.closest(".pane") === target) return;
    const near = counterparts(s);
    const found = near.find(isAdjoint) || near[0] || visible(target)[0];
    if (pinned) unpin();
    focus(found);
  }

  const help = document.getElementById("help");
  document.getElementById("ask").addEventListener("click", () => help.showModal());
  const themes = ["auto", "light", "dark"], button = document.getElementById("theme");
  function theme(name) {
    if (name === "auto") delete root.dataset.theme; else root.dataset.theme = name;
    button.textContent = `Theme: ${name}`;
    try { localStorage.setItem("retrograd-theme", name); } catch (error) { /* a page without a store */ }
  }
  const current = () => root.dataset.theme || "auto";
  const next = () => theme(themes[(themes.indexOf(current()) + 1) % themes.length]);
  button.addEventListener("click", next);
  try { const kept = localStorage.getItem("retrograd-theme"); if (themes.includes(kept)) theme(kept); } catch (error) { /* the same */ }
  const shade = document.getElementById("shade");
  function toggleShade() {
    shade.setAttribute("aria-pressed", String(document.body.classList.toggle("shaded")));
  }
  shade.addEventListener("click", toggleShade);

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || help.open) return;
    const s = document.activeElement.closest ? document.activeElement.closest(".st") : null;
    const first = s || pinned || visible(document.querySelector(".primal"))[0];
    const keys = {
      "?": () => help.showModal(), t: next, a: toggleShade, Escape: unpin,
      j: () => s ? step(s, 1) : focus(first), k: () => s ? step(s, -1) : focus(first),
      l: () => first && across(first, true), h: () => first && across(first, false),
    };
    if (s) Object.assign(keys, {
      ArrowDown: keys.j, ArrowUp: keys.k, ArrowRight: keys.l, ArrowLeft: keys.h,
      Enter: () => pin(s), " ": () => pin(s), Home: () => step(s, -1e9), End: () => step(s, 1e9),
    });
    if (keys[event.key] && !(["Enter", " "].includes(event.key) && document.activeElement !== s)) {
      event.preventDefault();
      keys[event.key]();
    }
  });
})();
