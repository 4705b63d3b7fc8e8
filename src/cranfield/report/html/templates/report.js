// Filtering topics, and two rankings of a topic side by side. All texts are set as text, never as HTML.
(() => {
  "use strict";
  const data = JSON.parse(document.getElementById("data").textContent);
  const byId = (id) => document.getElementById(id);
  const { sortBy } = cranfieldSorting;

  // The table of topics
  const several = data.runs.length > 1;
  const state = { measure: data.measure, left: data.baseline, right: data.chosen };
  const table = byId("topic-table");
  const rows = [...table.tBodies[0].rows];

  const shown = (value) => (value === null ? "–" : value.toFixed(4));
  function signed(value) {
    if (value === null) return "–";
    const text = value.toFixed(4);
    return Number(text) === 0 ? text.replace("-", "") : value > 0 ? `+${text}` : text;
  }

  function valuesOf(topic) {
    const values = topic.values[state.measure];
    const left = values[state.left];
    const right = several ? values[state.right] : null;
    const difference = left === null || right === null ? null : right - left;
    return { left, right, difference };
  }

  // 1: the second run is better, -1: worse, 0: equal; by a measure of which neither is better, higher counts as better.
  function verdictOf(difference) {
    if (difference === null || Math.abs(difference) < 5e-7) return 0;
    return Math.sign(difference) * (data.moreIsBetter[state.measure] === false ? -1 : 1);
  }

  function fill(cell, value, text) {
    cell.textContent = text;
    cell.dataset.value = value === null ? "" : String(value);
  }

  function updateValues() {
    const differences = data.topics.map((topic) => Math.abs(valuesOf(topic).difference || 0));
    const largest = Math.max(...differences, 1e-9);
    for (const row of rows) {
      const topic = data.topics[row.dataset.topic];
      const { left, right, difference } = valuesOf(topic);
      const cells = [...row.cells].slice(several ? -4 : -1);
      fill(cells[0], left, shown(left));
      if (!several) continue;
      fill(cells[1], right, shown(right));
      fill(cells[2], difference, signed(difference));
      const verdict = verdictOf(difference);
      const word = verdict > 0 ? "better" : verdict < 0 ? "worse" : "";
      cells[2].className = `number ${word}`;
      const size = (50 * Math.abs(difference || 0)) / largest;
      const bar = element("i", word);
      bar.style.left = `${difference < 0 ? 50 - size : 50}%`;
      bar.style.width = `${size}%`;
      cells[3].firstElementChild.replaceChildren(bar);
    }
    const name = data.measures[state.measure];
    byId("left-head").textContent = several ? data.runs[state.left] : name;
    if (several) byId("right-head").textContent = data.runs[state.right];
    const sorted = table.tHead.querySelector("th[aria-sort]");
    if (sorted) sortBy(table, sorted, sorted.getAttribute("aria-sort"));
  }

  let unknown = null; // The topic of an address that is none.
  let matching = data.topics.length;

  function updateMessage() {
    const said = [];
    if (unknown !== null) said.push(`There is no topic ${unknown} in this report.`);
    if (!matching) said.push("No topic matches.");
    byId("topic-message").textContent = said.join(" ");
    byId("topic-message").hidden = !said.length;
  }

  function updateFilter() {
    const wanted = byId("topic-filter").value.trim().toLowerCase();
    const kind = several ? byId("topic-kind").value : "all";
    let count = 0;
    for (const row of rows) {
      const topic = data.topics[row.dataset.topic];
      const text = `${topic.id} ${topic.text || ""}`.toLowerCase();
      const verdict = verdictOf(valuesOf(topic).difference);
      const fits = kind === "all" || verdict === { better: 1, equal: 0, worse: -1 }[kind];
      row.hidden = !(text.includes(wanted) && fits);
      count += row.hidden ? 0 : 1;
    }
    const all = data.topics.length;
    matching = count;
    updateMessage();
    byId("topic-count").textContent = count === all ? `${all} topic${all === 1 ? "" : "s"}` : `${count} of ${all} topics`;
  }

  function update() {
    updateValues();
    updateFilter();
    if (current !== null) showTopic(current);
  }

  const controls = { "topic-measure": "measure", "left-run": "left", "right-run": "right" };
  for (const [id, name] of Object.entries(controls)) {
    const control = byId(id);
    if (!control) continue;
    control.value = String(state[name]);
    control.addEventListener("change", () => {
      state[name] = Number(control.value);
      update();
    });
  }
  byId("topic-filter").value = "";
  byId("topic-filter").addEventListener("input", updateFilter);
  if (several) byId("topic-kind").addEventListener("change", updateFilter);
  byId("topic-controls").addEventListener("submit", (event) => event.preventDefault());

  // Two rankings side by side
  let current = null;

  function element(name, className, text) {
    const made = document.createElement(name);
    if (className) made.className = className;
    if (text !== undefined) made.textContent = text;
    return made;
  }

  function gradeOf(grade) {
    if (grade === null) return ["none", "?", "not judged"];
    if (grade < data.level) return ["zero", String(grade), "not relevant"];
    return [grade >= data.highest ? "top" : "some", String(grade), "relevant"];
  }

  // At what rank a run has a document that is not among its first; null: nowhere, undefined: not kept.
  function deeperRank(topic, run, other, number) {
    const rank = topic.deeper[run].split(",")[number];
    if (rank) return parseInt(rank, 36);
    return data.allPairs || run === data.baseline || other === data.baseline ? null : undefined;
  }

  // What became of a document between the two lists, seen from the second.
  function changeOf(rank, before) {
    if (before === rank) return ["", "=", "same rank in the other run"];
    return before > rank ? ["up", `▲ from ${before}`, `up from rank ${before}`] : ["down", `▼ from ${before}`, `down from rank ${before}`];
  }

  // The same for a document that only one of the lists shows.
  function absenceOf(deeper, isSecond) {
    if (deeper === undefined) return ["", `not in first ${data.shown}`, "of the other run"];
    if (deeper === null) return ["", isSecond ? "new" : "gone", "not retrieved by the other run"];
    return isSecond ? ["up", `▲ from ${deeper}`, `up from rank ${deeper}`] : ["down", `▼ to ${deeper}`, `down to rank ${deeper}`];
  }

  function listOf(topic, run, other, isSecond) {
    const list = element("ol");
    const ranks = new Map(other === null ? [] : topic.lists[other].map((document, at) => [document, at + 1]));
    topic.lists[run].forEach((number, at) => {
      const [name, grade, title] = topic.documents[number];
      const item = element("li");
      item.dataset.document = String(number);
      item.append(element("span", "rank", String(at + 1)));
      const [kind, text, meaning] = gradeOf(grade);
      const badge = element("span", `grade ${kind}`, text);
      badge.title = meaning;
      badge.append(element("span", "unseen", ` ${meaning}`));
      item.append(badge);
      const named = element("span", "name", name);
      if (title) named.append(element("span", "title", title));
      item.append(named);
      const absent = other !== null && !ranks.has(number);
      if (other !== null && (isSecond || absent)) {
        const [way, said, words] = absent
          ? absenceOf(deeperRank(topic, other, run, number), isSecond)
          : changeOf(at + 1, ranks.get(number));
        const change = element("span", `change ${way}`, said);
        change.title = words;
        change.append(element("span", "unseen", ` ${words}`));
        item.append(change);
      }
      list.append(item);
    });
    if (!topic.lists[run].length) list.append(element("li", "", "The run has no documents for this topic."));
    return list;
  }

  function headingOf(topic, run) {
    const heading = element("h4", "", data.runs[run]);
    const value = topic.values[state.measure][run];
    const list = topic.lists[run];
    const grades = list.map((number) => topic.documents[number][1]);
    const relevant = grades.filter((grade) => grade !== null && grade >= data.level).length;
    const unjudged = grades.filter((grade) => grade === null).length;
    const first = list.length < topic.retrieved[run] ? `first ${list.length} of ${topic.retrieved[run]}` : `${list.length}`;
    heading.append(
      element("span", "", `${data.measures[state.measure]} ${shown(value)}; ${first} documents: ${relevant} relevant, ${unjudged} not judged`),
    );
    return heading;
  }

  function connect() {
    const area = byId("rankings");
    const svg = area.querySelector("svg");
    if (!svg || getComputedStyle(area.querySelector(".between")).display === "none") return;
    svg.replaceChildren();
    const frame = area.getBoundingClientRect();
    const [left, right] = area.querySelectorAll("ol");
    const targets = new Map([...right.children].map((item) => [item.dataset.document, item]));
    for (const item of left.children) {
      const target = targets.get(item.dataset.document);
      if (item.dataset.document === undefined || !target) continue;
      const from = item.getBoundingClientRect();
      const to = target.getBoundingClientRect();
      const x1 = from.right - frame.left, x2 = to.left - frame.left;
      const y1 = (from.top + from.bottom) / 2 - frame.top, y2 = (to.top + to.bottom) / 2 - frame.top;
      const bend = (x2 - x1) / 2;
      const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
      path.setAttribute("d", `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`);
      const places = [item, target].map((one) => [...one.parentElement.children].indexOf(one));
      path.setAttribute("class", places[0] > places[1] ? "up" : places[0] < places[1] ? "down" : "");
      path.dataset.document = item.dataset.document;
      svg.append(path);
    }
  }

  function light(event) {
    const item = event.target.closest("li[data-document]");
    const number = event.type === "pointerout" || !item ? null : item.dataset.document;
    for (const one of byId("rankings").querySelectorAll("[data-document]")) {
      one.classList.toggle("lit", one.dataset.document === number);
    }
  }

  function showTopic(place) {
    current = place;
    const topic = data.topics[place];
    byId("drill").hidden = false;
    byId("drill-heading").textContent = topic.text ? `${topic.id}: ${topic.text}` : topic.id;
    const judged = `${topic.relevant} relevant document${topic.relevant === 1 ? "" : "s"} judged`;
    const { difference } = valuesOf(topic);
    const apart = several && difference !== null ? `; difference in ${data.measures[state.measure]} ${signed(difference)}` : "";
    byId("drill-facts").textContent = `${judged}${apart}.`;
    const area = byId("rankings");
    area.classList.toggle("single", !several);
    if (several) {
      const between = element("div", "between");
      const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
      svg.setAttribute("aria-hidden", "true");
      between.append(svg);
      const left = element("div"), right = element("div");
      left.append(headingOf(topic, state.left), listOf(topic, state.left, state.right, false));
      right.append(headingOf(topic, state.right), listOf(topic, state.right, state.left, true));
      area.replaceChildren(left, between, right);
      connect();
    } else {
      const only = element("div");
      only.append(headingOf(topic, 0), listOf(topic, 0, null, false));
      area.replaceChildren(only);
    }
    byId("drill-note").replaceChildren(...noteOf(topic));
    for (const row of rows) row.classList.toggle("chosen", Number(row.dataset.topic) === place);
  }

  function noteOf(topic) {
    const parts = [`The first ${data.shown} documents of each run, by score, documents with the same score by name, last first. ${several ? "new, gone: not retrieved by the other run. " : ""}`];
    if (data.explain) {
      const quoted = /^[\w@%+=:,./-]+$/.test(topic.id) ? topic.id : `'${topic.id.replaceAll("'", "'\"'\"'")}'`;
      const measure = /^[\w@.]+$/.test(data.measures[state.measure]) ? data.measures[state.measure] : `'${data.measures[state.measure]}'`;
      const against = several ? ` --against ${data.explain.runs[state.left]}` : "";
      const run = data.explain.runs[several ? state.right : 0];
      parts.push("Where the numbers come from: ");
      parts.push(element("code", "", `cranfield explain ${measure} ${data.explain.qrels} ${run} --query ${quoted}${against}`));
    }
    return parts;
  }

  function hideTopic() {
    current = null;
    byId("drill").hidden = true;
    for (const row of rows) row.classList.remove("chosen");
  }

  function hide() {
    hideTopic();
    history.replaceState(null, "", "#topics");
  }

  const places = new Map(data.topics.map((topic, place) => [topic.id, place]));
  function nameInAddress() {
    const text = location.hash.slice("#topic/".length);
    try {
      return decodeURIComponent(text);
    } catch {
      return text;
    }
  }

  function follow() {
    const asked = location.hash.startsWith("#topic/");
    const name = asked ? nameInAddress() : null;
    unknown = asked && !places.has(name) ? name : null;
    updateMessage();
    if (!asked) return;
    if (unknown !== null) {
      hideTopic();
      byId("topics").scrollIntoView({ block: "start" });
      return;
    }
    showTopic(places.get(name));
    byId("drill").scrollIntoView({ block: "start" });
    byId("drill-heading").focus({ preventScroll: true });
  }

  // Charts above the place that an address names push it down as they are drawn: it is sought again, until all are
  // drawn or the reader goes elsewhere.
  function stay() {
    const id = location.hash.slice(1);
    const place = () => (id.startsWith("topic/") ? byId(current === null ? "topics" : "drill") : byId(id));
    if (!id || !place()) return;
    const seek = () => place().scrollIntoView({ block: "start", behavior: "instant" });
    const watcher = new ResizeObserver(seek);
    const moves = ["wheel", "touchmove", "keydown", "pointerdown", "hashchange"];
    const stop = () => {
      watcher.disconnect();
      for (const move of moves) window.removeEventListener(move, stop);
    };
    for (const move of moves) window.addEventListener(move, stop, { passive: true });
    watcher.observe(document.body);
    window.addEventListener("cranfield-drawn", () => requestAnimationFrame(() => requestAnimationFrame(stop)), { once: true });
  }

  function step(by) {
    const order = [...table.tBodies[0].rows].filter((row) => !row.hidden).map((row) => Number(row.dataset.topic));
    const at = order.indexOf(current);
    const next = order.length ? order[(at + by + order.length) % order.length] : current;
    location.hash = `topic/${encodeURIComponent(data.topics[next].id)}`;
  }

  // A link that leads to the topic that is open already changes no hash.
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a.topic");
    if (link && link.hash === location.hash) follow();
  });
  window.addEventListener("hashchange", follow);
  byId("drill-next").addEventListener("click", () => step(1));
  byId("drill-previous").addEventListener("click", () => step(-1));
  byId("drill-close").addEventListener("click", () => {
    const row = rows.find((one) => Number(one.dataset.topic) === current);
    hide();
    row?.querySelector("a").focus();
  });
  byId("rankings").addEventListener("pointerover", light);
  byId("rankings").addEventListener("pointerout", light);
  window.addEventListener("resize", connect);

  // On paper everything is open.
  let opened = [];
  window.addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll("details.fold:not([open])")];
    for (const one of opened) one.open = true;
    connect();
  });
  window.addEventListener("afterprint", () => {
    for (const one of opened) one.open = false;
    connect();
  });

  updateValues();
  follow();
  stay();
})();
