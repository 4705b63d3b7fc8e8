// The page of searching: a query, what it finds, one document at a time, and an answer by one key. Answers go the way
// of all others, through the outbox; to search and to open a document the server has to be there.

import "./folding.js";
import { Choices } from "./choices.js";
import { drawConnection, drawNotices } from "./connection.js";
import { ask, open, prepare } from "./dialogs.js";
import { $, drawChoices, drawItem, pressChoice, titleOf } from "./drawing.js";
import { listen } from "./keys.js";
import { Outbox } from "./outbox.js";
import { drawCount, drawQueries } from "./queries.js";
import { Results } from "./results.js";
import { Server } from "./server.js";
import { ActiveTime } from "./watch.js";

const FIRST = 20;
const MORE = 50;
// So long a document has to be on screen before a key judges it: nobody can have read it.
const SEEN_AFTER = 150;
// Where either the results are on screen or a document.
const NARROW = matchMedia("(max-width: 59.99rem)");

const settings = JSON.parse($("settings").textContent);
const { addresses, person, project, topic } = settings;
const prefix = `cranfield.${person}.${project}.`;
const server = new Server(person);
const outbox = new Outbox({ server, address: addresses.answers, person, project });
const time = new ActiveTime({ key: `${prefix}sitting`, minutes: settings.break_minutes, remind });
const choices = new Choices("grades", settings.scale.grades);
const results = new Results({ open: show, words: (answer) => choices.words(answer) });

/** What is on screen: the result, its document, and whether it was answered meanwhile. */
let shown = null;
let query = "";
/** The words of the query that are worth marking. */
let asked = [];
let moving = false;
/** What was answered here, the latest last. */
const done = [];

function say(text) {
  $("said").textContent = text;
}

async function search(text, count = FIRST) {
  if (moving || !text.trim()) return;
  close();
  moving = true;
  say("Searching…");
  try {
    const found = await server.post(addresses.search, { topic, query: text, n: count });
    ({ query, words: asked } = found);
    $("query").value = query;
    results.show(found);
    drawQueries(found.queries, search);
    $("more").hidden = !drawCount(found, count) || count >= MORE;
    failure = null;
    say($("count").textContent);
    if (NARROW.matches) $("topic").querySelector("details").open = false;
    results.focus();
  } catch (problem) {
    failed(problem);
    $("query").focus();
  } finally {
    moving = false;
    connected();
  }
}

/** Opens a document; while it is on screen, it is this assessor's. */
async function show(result, said = "") {
  if (moving) return;
  close();
  moving = true;
  try {
    const { item, state } = await server.post(addresses["search-open"], { topic, document: result.document });
    Object.assign(result, { state, standing: item.standing });
    draw({ result, item, answered: Boolean(item.standing) }, said);
    failure = null;
  } catch (problem) {
    failed(problem);
  } finally {
    moving = false;
    connected();
  }
}

function draw(opened, said = "") {
  shown = opened;
  const { result, item } = opened;
  for (const id of ["documents", "answers"]) $(id).hidden = false;
  document.body.classList.add("reading");
  const own = (localStorage.getItem(`${prefix}words`) ?? "").split(/\s+/);
  const words = [...settings.words, ...asked, ...own].filter(Boolean);
  const heading = drawItem(item, words, standing(result, item));
  pressChoice(item.standing ? choices.placeOf(item.standing) : null);
  for (const button of $("grades").children) button.disabled = !item.slot;
  for (const name of ["unsure", "note"]) document.querySelector(`[data-do=${name}]`).disabled = !item.slot;
  results.redraw(result);
  results.choose(result);
  time.begin();
  opened.since = performance.now();
  heading.focus({ preventScroll: true });
  say(`${said ? `${said} ` : ""}Now: ${titleOf(item)}.`);
}

function standing({ state }, item) {
  if (item.standing) return `Your answer: ${choices.words(item.standing)}. Another one replaces it.`;
  if (state === "enough") return "Already judged by enough people. You can read it; the next one is yours.";
  return state === "out" ? "The manager has taken it out: it is not judged here." : "";
}

/** Takes the document from the screen; if it was not judged, it is nobody's again. */
function close() {
  if (!shown) return;
  const { result, item, answered } = shown;
  if (item.slot && !answered) {
    server.post(addresses["search-leave"], { topic, document: result.document }).catch(() => {});
  }
  shown = null;
  results.choose(null);
  for (const id of ["documents", "answers"]) $(id).hidden = true;
  document.body.classList.remove("reading");
}

function toResults(said = "") {
  const result = shown?.result;
  close();
  if (said) say(said);
  if (results.all.length) results.focus(result ?? results.all[0]);
  else $("query").focus();
}

function answer(action, fields = {}) {
  if (!shown?.item.slot || moving) return;
  if (performance.now() - shown.since < SEEN_AFTER) return say("Too soon: nobody can have read this one.");
  const { result, item } = shown;
  const given = put(item, action, fields);
  if (!given) return;
  shown.answered = true;
  if (action === "note") return say("The note is kept.");
  done.push({ result, item, answer: given, before: { state: result.state, standing: result.standing } });
  Object.assign(result, { state: "judged", standing: given });
  item.standing = given;
  results.redraw(result);
  const said = `${titleOf(item)}: ${choices.words(given)}.`;
  const next = results.nextOpen();
  if (next) return show(next, said);
  toResults(`${said} That was the last of these results that you can judge. Search with other words, or go on.`);
  $("query").focus();
  $("query").select();
}

function undo() {
  const last = moving ? null : done.pop();
  if (!last) return say("There is nothing to take back that you answered here.");
  const { result, item, answer: given, before } = last;
  if (!put(item, "withdraw", { supersedes: given.uuid })) return;
  if (shown && shown.item !== item) close();
  Object.assign(result, before);
  item.standing = before.standing;
  draw({ result, item, answered: true }, `Taken back: ${titleOf(item)}: ${choices.words(given)}.`);
}

function put(item, action, fields) {
  const at_work = { shown_at: time.shownAt, active_ms: time.milliseconds };
  try {
    const whole = {
      slot: item.slot, action, scale: settings.scale.version, document_sha256: item.document.sha256,
      ...(action === "withdraw" ? {} : at_work), ...fields,
    };
    return outbox.put(whole, titleOf(item));
  } catch {
    say("Not recorded: this browser keeps nothing. Make room in its storage, or leave its private mode.");
    return null;
  }
}

function step(by) {
  const result = results.beside(by);
  if (result) show(result);
  else say(by < 0 ? "This is the first result." : "This is the last result.");
}

// What goes wrong: words of the server, or how it stands with the connection.
let failure = null;
function failed(problem) {
  if (!problem.kind) throw problem;
  failure = problem.kind === "not-understood" ? null : problem;
  say(problem.kind === "not-understood" ? sentence(problem.message) : "The server did not answer. Try again.");
}

function sentence(text) {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
}

function connected() {
  const kind = failure && ["sent", "sending"].includes(outbox.kind) ? failure.kind : outbox.kind;
  const message = failure?.message ?? outbox.message;
  drawConnection({ kind, message, waiting: outbox.waiting.length, login: settings.login });
}

function notices() {
  drawNotices(outbox.notices, (notice) => outbox.dismiss(notice));
}

function remind(minutes) {
  $("break").querySelector("span").textContent =
    `You have been judging for ${minutes} minutes. A short break keeps judgments even; nothing is lost meanwhile.`;
  $("break").hidden = false;
}

function scroll(pages, lines) {
  const pane = $("documents");
  const moved = pane.scrollHeight > pane.clientHeight ? pane : document.scrollingElement;
  moved.scrollBy({ top: pages * 0.9 * pane.clientHeight + lines * 40 });
}

const DOES = {
  unsure: () => answer("unsure"),
  note: async () => {
    const opened = shown;
    if (!opened?.item.slot) return;
    const text = await ask({ question: "Your note on this document", help: "It settles nothing. Enter saves." });
    if (text && shown === opened) answer("note", { reason: text });
  },
  undo,
  back: () => step(-1),
  forward: () => step(1),
  skip: () => shown && toResults(),
  close: () => shown && toResults(),
  words: () => {
    document.body.classList.remove("reading");
    $("query").focus();
    $("query").select();
  },
  guideline: () => open("guideline"),
  help: () => open("help"),
  topic: () => $("topic").querySelector("details").toggleAttribute("open"),
  room: () => {},
  end: () => location.assign(settings.judge),
  lineDown: () => scroll(0, 1),
  lineUp: () => scroll(0, -1),
  pageDown: () => scroll(1, 0),
  pageUp: () => scroll(-1, 0),
};

listen({
  isAnswer: (key) => Boolean(shown?.item.slot && choices.byKey(key)),
  give: (key) => answer("grade", choices.fields(choices.byKey(key))),
  perform: (name) => DOES[name](),
  areOn: () => $("keys-on").checked,
  held: () => say("A key that is held down counts once."),
});
addEventListener("keydown", (event) => {
  if (event.key === "Escape" && shown && !document.querySelector("dialog[open]")) toResults();
});
for (const button of document.querySelectorAll("[data-do]")) {
  button.addEventListener("click", (event) => event.detail < 2 && DOES[button.dataset.do]());
}
$("query").addEventListener("keydown", (event) => {
  if (event.key === "ArrowDown" && results.all.length) {
    event.preventDefault();
    results.focus();
  }
});
$("ask-engine").addEventListener("submit", (event) => {
  event.preventDefault();
  search($("query").value);
});
$("more").addEventListener("click", () => search(query, MORE));
$("keys-on").checked = localStorage.getItem("cranfield.keys") !== "off";
$("keys-on").addEventListener("change", () => localStorage.setItem("cranfield.keys", $("keys-on").checked ? "on" : "off"));
$("break").querySelector("button").addEventListener("click", () => {
  $("break").hidden = true;
  time.reminded();
});
outbox.addEventListener("state", connected);
outbox.addEventListener("notices", notices);
addEventListener("pagehide", close);

prepare();
drawChoices(choices.all, (key) => answer("grade", choices.fields(choices.byKey(key))));
drawQueries(settings.queries, search);
notices();
outbox.send();
$("query").focus();
