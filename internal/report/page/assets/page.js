// What the page does beyond being read: theme, filter, links, copying, icicles. All texts are set as text.
(function () {
  "use strict";
  const all = (selector, from) => Array.from((from || document).querySelectorAll(selector));
  const byId = (id) => document.getElementById(id);
  const make = (name, attributes, ...children) => {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) made.setAttribute(key, value);
    made.append(...children);
    return made;
  };
  const say = (text) => { byId("said").textContent = text; };

  // Theme: the system's, until the button is pressed.
  const theme = byId("theme");
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (document.documentElement.dataset.theme || (dark.matches ? "dark" : "light")) === "dark";
  const label = () => { theme.textContent = isDark() ? "Light" : "Dark"; theme.setAttribute("aria-label", theme.textContent + " colours"); };
  theme.addEventListener("click", () => { document.documentElement.dataset.theme = isDark() ? "light" : "dark"; label(); });
  dark.addEventListener("change", label);
  label();

  // Links: what a link names is opened.
  const reveal = () => {
    let id = "";
    try { id = decodeURIComponent(location.hash.slice(1)); } catch { return; }
    const target = id && byId(id);
    if (!target) return;
    const card = target.closest(".card");
    const details = target.tagName === "DETAILS" ? target : card && target.className === "anchor" && card.querySelector("details");
    if (!details) return;
    if (card.hidden) { find.value = ""; choices.forEach((c) => c.setAttribute("aria-pressed", "true")); filter(); }
    const folded = target.closest(".folded");
    if (folded) folded.open = true;
    details.open = true;
    details.scrollIntoView();
    details.querySelector("summary").focus({preventScroll: true});
  };

  // Filter.
  const form = document.querySelector(".filter");
  const find = byId("find") || make("input");
  const choices = all(".choice");
  const rows = all("#rows tbody tr").map((row) => ({row, text: row.textContent.toLowerCase(), tier: row.dataset.tier, rank: row.dataset.rank}));
  const accepted = all(".folded .card").map((card) => ({row: card, text: card.querySelector("summary").textContent.toLowerCase()}));
  const cards = new Map(all(".card").map((card) => [card.dataset.rank, card]));
  const filter = () => {
    const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
    const tiers = new Set(choices.filter((c) => c.getAttribute("aria-pressed") === "true").map((c) => c.dataset.tier));
    let shown = 0;
    for (const r of rows) {
      const show = (!choices.length || tiers.has(r.tier)) && words.every((w) => r.text.includes(w));
      r.row.hidden = !show;
      const card = cards.get(r.rank);
      if (card) card.hidden = !show;
      if (show) shown++;
    }
    for (const r of accepted) r.row.hidden = !words.every((w) => r.text.includes(w));
    byId("found").textContent = shown === rows.length ? "" : shown + " of " + rows.length + " findings";
  };
  if (form) {
    form.hidden = rows.length < 2;
    if (choices.length < 2) document.querySelector(".choices").hidden = true;
    form.addEventListener("submit", (event) => event.preventDefault());
    find.addEventListener("input", filter);
    choices.forEach((c) => c.addEventListener("click", () => {
      c.setAttribute("aria-pressed", String(c.getAttribute("aria-pressed") !== "true"));
      filter();
    }));
    document.addEventListener("keydown", (event) => {
      if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) return;
      event.preventDefault();
      find.focus();
    });
  }

  // Open and close all.
  for (const bar of all(".all")) {
    const details = all(".card > details", bar.closest(".group"));
    bar.hidden = details.length < 2;
    all("button", bar).forEach((b) => b.addEventListener("click", () => details.forEach((d) => { d.open = b.dataset.open === "true"; })));
  }

  // Deviations beyond the first ones.
  const addRest = (details) => {
    const data = details.querySelector(".rest");
    if (!data) return;
    data.remove();
    details.querySelector(".unscripted").remove();
    const body = details.querySelector("tbody");
    for (const [kind, tier, loudness, value, before, after] of JSON.parse(data.textContent)) {
      body.append(make("tr", {}, make("td", {}, kind), make("td", {}, make("span", {class: "tier " + loudness}, tier)),
        make("td", {class: "code"}, value), make("td", {class: "code"}, before), make("td", {class: "code"}, after)));
    }
  };
  for (const details of all(".deviations")) {
    if (details.open) addRest(details);
    details.addEventListener("toggle", () => { if (details.open) addRest(details); });
  }

  let closed = [];
  addEventListener("beforeprint", () => { all(".deviations").forEach(addRest); closed = all("details:not([open])"); closed.forEach((d) => { d.open = true; }); });
  addEventListener("afterprint", () => { closed.forEach((d) => { d.open = false; }); closed = []; });

  // Copying.
  const copy = async (text) => {
    try { await navigator.clipboard.writeText(text); return true; } catch { /* the older way follows */ }
    const area = make("textarea", {"aria-hidden": "true", class: "hidden"});
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  };
  for (const button of all(".copy")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      const done = await copy(button.dataset.copy);
      button.focus();
      say(done ? "Copied" : "Copying is not allowed here");
      button.textContent = done ? "Copied" : "Not allowed";
      setTimeout(() => { button.textContent = "Copy"; }, 1500);
    });
  }

  // Icicles: the call tree, callers on top.
  const meanings = {
    root: ["★", "root", "here the deviation begins"],
    container: ["●", "container", "begins alike, ends differently: something deviated inside"],
    follower: ["○", "follower", "begins differently: something deviated before"],
    "old-only": ["−", "only old", "only the old version runs it"],
    "new-only": ["+", "only new", "only the new version runs it"],
    equal: ["", "equal", "nothing differs at its begin and its end"],
    reordered: ["", "reordered", "an equal execution is elsewhere in the other run"],
    unknown: ["?", "unknown", "its states are unstable, or were not recorded whole"],
    folded: ["", "folded", "executions in which nothing differs, not shown one by one"],
  };
  const statusOf = (n) => n.r ? "root" : Object.hasOwn(meanings, n.s) ? n.s : "unknown";
  const build = (data, byCalls) => {
    const top = {t: data.name, s: "equal", n: 0, children: [], top: true};
    const stack = [[-1, top]];
    for (const n of data.nodes) {
      while (stack[stack.length - 1][0] >= n.d) stack.pop();
      const made = Object.assign({children: []}, n);
      stack[stack.length - 1][1].children.push(made);
      stack.push([n.d, made]);
    }
    const weigh = (n) => {
      n.value = n.top ? 0 : byCalls ? n.n : 1;
      n.calls = n.n;
      for (const child of n.children) { weigh(child); n.value += child.value; n.calls += child.calls; }
    };
    weigh(top);
    return top;
  };
  const named = (d) => (meanings[statusOf(d.data)][0] + " " + d.data.t).trim();
  const plural = (n, noun) => n.toLocaleString("en") + " " + noun + (n === 1 ? "" : "s");
  const described = (d) => d.data.top ? d.data.t + ": " + plural(d.data.calls, "call")
    : d.data.t + ": " + [meanings[statusOf(d.data)][1], d.data.s === "folded" ? "" : plural(d.data.calls, "call") + " with those below"].filter(Boolean).join(", ");

  // Both states of an execution, side by side.
  const sides = (list, heading, marked) => {
    const body = make("tbody");
    for (const [path, before, after] of list) {
      const cells = before === undefined ? [make("td", {colspan: "2"}, make("i", {}, "varies from run to run"))]
        : after === undefined ? [make("td", {class: "code", colspan: "2"}, before)]
          : [make("td", {class: "code was"}, before), make("td", {class: "code is"}, after)];
      body.append(make("tr", after !== undefined || marked ? {class: "differs"} : {}, make("th", {scope: "row", class: "code"}, path), ...cells));
    }
    return make("table", {}, make("caption", {}, heading),
      make("thead", {}, make("tr", {}, make("th", {scope: "col"}, "value"), make("th", {scope: "col"}, "old"), make("th", {scope: "col"}, "new"))), body);
  };
  const stateOf = (state, heading) => {
    const made = make("div", {class: "state"}, make("h5", {}, heading));
    if (state.v) made.append(sides(state.v, "Values"));
    const told = new Set((state.v || []).filter((v) => v.length > 2).map((v) => v[0]));
    const differ = (state.d || []).filter((d) => !told.has(d[0]));
    if (differ.length) made.append(sides(differ, "What differs in them", true));
    if (state.h) made.append(sides(state.h, "Places that are the same as others"));
    if (state.o) made.append(make("p", {class: "note"}, "… " + plural(state.o, "entry").replace("entrys", "entries") + " left out"));
    return made;
  };

  const icicle = (box) => {
    const data = JSON.parse(byId("tree-" + box.dataset.rank).textContent);
    const rank = box.dataset.rank;
    const search = make("input", {type: "search", id: "search-" + rank, autocomplete: "off", spellcheck: "false"});
    const width = make("select", {id: "width-" + rank}, make("option", {value: "lines"}, "shown calls"), make("option", {value: "calls"}, "all calls"));
    const whole = make("button", {type: "button"}, "Whole tree");
    const hits = make("output", {for: "search-" + rank, "aria-live": "polite"});
    const used = new Set(data.nodes.map(statusOf));
    const legend = make("ul", {class: "legend", "aria-label": "Legend"});
    for (const [key, [mark, word, meaning]] of Object.entries(meanings)) {
      if (used.has(key)) legend.append(make("li", {title: meaning}, make("span", {class: "swatch " + key, "aria-hidden": "true"}), (mark + " " + word).trim()));
    }
    if (data.left) legend.append(make("li", {}, plural(data.left, "call") + " not shown"));
    const chart = make("div", {class: "chart"});
    const chosen = make("div", {class: "chosen", "aria-live": "polite"}, make("p", {class: "note"}, "Click a call, or reach it with the arrow keys and press Enter: the tree is shown from there."));
    box.append(make("div", {class: "tools"},
      make("label", {for: search.id}, "Search the tree"), search, hits,
      make("label", {for: width.id}, "Width by"), width, whole), legend, chart, chosen);
    box.hidden = false;

    const cell = 22;
    let graph, host, current, term = "";
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const frames = () => d3.select(chart).selectAll("g.frame");
    const isShown = (d) => !d.data.hide && d.x1 > d.x0;
    const decorate = () => {
      const focus = current && isShown(current) ? current : null;
      frames().each(function (d) {
        const status = statusOf(d.data);
        this.setAttribute("role", "treeitem");
        this.setAttribute("aria-level", d.depth + 1);
        this.setAttribute("aria-label", described(d));
        this.setAttribute("aria-selected", String(d === current));
        this.setAttribute("tabindex", (focus ? d === focus : d.depth === 0) ? "0" : "-1");
        this.setAttribute("data-status", status);
        this.toggleAttribute("data-root", status === "root");
        this.toggleAttribute("data-hit", Boolean(d.highlight));
        this.toggleAttribute("data-chosen", d === current);
        this.toggleAttribute("aria-hidden", false);
        if (!isShown(d)) this.setAttribute("aria-hidden", "true");
      });
    };
    const show = (d) => {
      current = d;
      const [mark, word, meaning] = meanings[statusOf(d.data)];
      chosen.replaceChildren(make("p", {}, make("code", {}, d.data.f || d.data.t)));
      if (!d.data.top) chosen.append(make("p", {}, (mark + " " + word).trim() + ": " + meaning));
      const way = d.ancestors().slice(1).reverse().map((a) => a.data.t);
      if (way.length > 1) chosen.append(make("p", {class: "note"}, "Called through " + way.slice(1).join(" → ")));
      if (d.data.s !== "folded") chosen.append(make("p", {class: "note"}, plural(d.data.calls, "call") + (d.data.top ? " in all" : " with those below")));
      if (d.data.e) chosen.append(make("p", {}, "It did not return: " + d.data.e));
      if (d.data.in || d.data.out) {
        const states = make("div", {class: "states", role: "region", tabindex: "0", "aria-label": "States of " + d.data.t});
        if (d.data.in) states.append(stateOf(d.data.in, "When it begins"));
        if (d.data.out) states.append(stateOf(d.data.out, "When it ends"));
        chosen.append(states);
      }
      decorate();
    };
    // Only what the reader does moves: a tree that is drawn, or printed, is there at once.
    const settled = (paint) => {
      graph.transitionDuration(0);
      paint();
      graph.transitionDuration(still ? 0 : 200);
    };
    const draw = () => {
      chart.replaceChildren();
      current = null;
      const tree = build(data, width.value === "calls");
      let depth = 0;
      for (const n of data.nodes) depth = Math.max(depth, n.d + 1);
      graph = flamegraph.default().inverted(true).cellHeight(cell).width(Math.max(chart.clientWidth, 280)).height((depth + 1) * cell)
        .getName(named).label(described)
        .setSearchMatch((d, t) => Boolean(t) && d.data.t.toLowerCase().includes(t.toLowerCase()))
        .setSearchHandler((found) => { hits.textContent = term ? plural(found.length, "call") + " found" : ""; })
        .setDetailsHandler(() => {}).onClick(show);
      host = d3.select(chart).datum(tree);
      settled(() => host.call(graph));
      const svg = chart.querySelector("svg");
      svg.setAttribute("role", "tree");
      svg.setAttribute("aria-label", "Call tree, callers on top");
      all("text.title", svg).forEach((t) => t.remove());
      if (term) graph.search(term);
      decorate();
    };
    const move = (d, key) => {
      const shown = (list) => (list || []).filter(isShown);
      const beside = d.parent ? shown(d.parent.children) : [d];
      switch (key) {
        case "ArrowDown": return shown(d.children)[0];
        case "ArrowUp": return d.parent;
        case "ArrowRight": return beside[beside.indexOf(d) + 1];
        case "ArrowLeft": return beside[beside.indexOf(d) - 1];
        case "Home": return d.ancestors().pop();
      }
      return null;
    };
    chart.addEventListener("keydown", (event) => {
      const frame = event.target.closest("g.frame");
      if (!frame) return;
      const d = d3.select(frame).datum();
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        graph.zoomTo(d);
      } else if (event.key === "Escape") {
        graph.resetZoom();
      } else if (/^Arrow|^Home$/.test(event.key)) {
        event.preventDefault();
        const to = move(d, event.key);
        frames().filter((f) => f === to).each(function () { frame.setAttribute("tabindex", "-1"); this.setAttribute("tabindex", "0"); this.focus(); });
      }
    });
    search.addEventListener("input", () => {
      term = search.value.trim();
      if (term) graph.search(term); else { graph.clear(); hits.textContent = ""; }
      decorate();
    });
    whole.addEventListener("click", () => graph.resetZoom());
    width.addEventListener("change", draw);
    draw();
    let last = chart.clientWidth;
    new ResizeObserver(() => {
      if (Math.abs(chart.clientWidth - last) < 4 || !chart.clientWidth) return;
      last = chart.clientWidth;
      settled(() => graph.width(Math.max(last, 280)).update());
      decorate();
    }).observe(chart);
    const text = box.parentElement.querySelector(".astext");
    if (text) text.open = false;
  };
  const drawn = new WeakSet();
  const drawIn = (details) => {
    const box = details.open && details.querySelector(".icicle");
    if (!box || drawn.has(box)) return;
    drawn.add(box);
    icicle(box);
  };
  const waiting = new IntersectionObserver((entries) => entries.forEach((e) => {
    if (e.isIntersecting) { waiting.unobserve(e.target); drawIn(e.target); }
  }), {rootMargin: "600px"});
  for (const details of all(".card > details")) {
    const draw = () => { if (details.open) waiting.observe(details); };
    details.addEventListener("toggle", draw);
    draw();
  }

  theme.hidden = false;
  addEventListener("hashchange", reveal);
  reveal();
})();
