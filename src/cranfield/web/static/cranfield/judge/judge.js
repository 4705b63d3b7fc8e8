// The assessor's page: makes the parts, and connects them with keys and buttons.

import "./folding.js";
import { ActiveTime } from "./watch.js";
import { Choices } from "./choices.js";
import { drawConnection, drawNotices } from "./connection.js";
import { ask, open, prepare } from "./dialogs.js";
import { $, drawChoices } from "./drawing.js";
import { Judging } from "./judging.js";
import { listen } from "./keys.js";
import { Outbox } from "./outbox.js";
import { Past } from "./past.js";
import { Progress } from "./progress.js";
import { Failure, Server } from "./server.js";
import { Supply } from "./supply.js";

const settings = JSON.parse($("settings").textContent);
const { addresses, person, project } = settings;
const prefix = `cranfield.${person}.${project}.`;
const server = new Server(person);
const outbox = new Outbox({ server, address: addresses.answers, person, project });
const supply = new Supply({ server, address: addresses.next, outbox, prefix });
const past = new Past();
const progress = new Progress({ server, address: addresses.progress });
const time = new ActiveTime({ key: `${prefix}sitting`, minutes: settings.break_minutes, remind });
const judging = new Judging({ outbox, supply, past, progress, time, say, words, leave });

// Words: the live part of the page says them, and they stay to be read.
function say(text) {
  $("said").textContent = text;
}

function words() {
  return (localStorage.getItem(`${prefix}words`) ?? "").split(/\s+/).filter(Boolean);
}

// Nothing to judge: why, in words.
function leave(said) {
  for (const id of ["topic", "documents", "answers"]) $(id).hidden = true;
  const [title, text] = calm();
  const [heading, paragraph] = [$("calm").querySelector("h1"), $("calm").querySelector("p")];
  const moved = $("calm").hidden || heading.textContent !== title;
  heading.textContent = title;
  paragraph.textContent = text;
  say(said);
  $("calm").querySelector("[data-do=again]").hidden = supply.closed;
  $("calm").hidden = false;
  judging.item = null;
  if (moved) heading.focus();
}

function calm() {
  if (supply.closed) return ["The project is closed.", "Nothing more is to be judged here. Thank you."];
  if (!supply.known) return ["One moment.", "Your documents are on their way."];
  if (outbox.waiting.length) return ["Nothing more is here.", "Documents come when your answers have been sent."];
  if (supply.elsewhere.size) return ["Nothing for this tab.", "What is left is on screen in another tab."];
  return ["Nothing is left for you.", "It is judged, or others have it. Should more come, it is shown here."];
}

function remind(minutes) {
  if (!$("break").hidden) return;
  $("break").querySelector("span").textContent =
    `You have been judging for ${minutes} minutes. A short break keeps judgments even; nothing is lost meanwhile.`;
  $("break").hidden = false;
}

let scale = "";
function useScale() {
  if (!supply.scale || supply.scale.version === scale) return;
  scale = supply.scale.version;
  judging.choices = new Choices(settings.mode, supply.scale.grades);
  drawChoices(judging.choices.all, (key) => judging.give(key));
  $("scale-changed").hidden = scale === settings.scale;
}

let amiss = "";
let failure = null;
function fail(detail) {
  failure = detail;
  connected();
  if (!judging.item) leave("");
}

function connected() {
  const kind = failure && ["sent", "sending"].includes(outbox.kind) ? failure.kind : outbox.kind;
  const message = failure?.message ?? outbox.message;
  const now = drawConnection({ kind, message, waiting: outbox.waiting.length, login: settings.login });
  if (now && kind !== amiss) say(now);
  if (!now && amiss) say("All is well again: every answer has been sent.");
  amiss = now && kind;
}

function scroll(pages, lines) {
  const pane = $("documents");
  const moved = pane.scrollHeight > pane.clientHeight ? pane : document.scrollingElement;
  moved.scrollBy({ top: pages * 0.9 * pane.clientHeight + lines * 40 });
}

const DOES = {
  unsure: () => judging.answer("unsure"),
  skip: async () => {
    const { item } = judging;
    if (!item) return;
    const help = "Such as: not in a language I read. Enter saves.";
    const reason = await ask({ question: "Why do you skip it?", help, about: `skip ${item.slot}` });
    if (reason && judging.item === item) judging.answer("skip", { reason });
  },
  note: async () => {
    const { item } = judging;
    if (!item) return;
    const help = "It settles nothing. Enter saves.";
    const text = await ask({ question: "Your note on this document", help, about: `note ${item.slot}` });
    if (text && judging.item === item) judging.note(text);
  },
  undo: () => judging.undo(),
  back: () => judging.step(-1),
  forward: () => judging.step(1),
  words: async () => {
    const help = "Beside those of the topic; kept in this browser. Enter saves.";
    const said = await ask({ question: "Your own words to mark", help, words: words().join(" "), required: false });
    if (said === null) return;
    localStorage.setItem(`${prefix}words`, said);
    judging.redraw();
  },
  guideline: () => open("guideline"),
  help: () => open("help"),
  progress: () => progress.ask().finally(() => open("progress-of-topics")),
  topic: () => $("topic").querySelector("details").toggleAttribute("open"),
  room: () => document.body.classList.toggle("roomy"),
  end: () => location.assign(settings.home),
  again: () => supply.fill(),
  lineDown: () => scroll(0, 1),
  lineUp: () => scroll(0, -1),
  pageDown: () => scroll(1, 0),
  pageUp: () => scroll(-1, 0),
};

listen({
  isAnswer: (key) => Boolean(judging.item && judging.choices?.byKey(key)),
  give: (key) => judging.give(key),
  perform: (name) => DOES[name](),
  areOn: () => $("keys-on").checked,
  held: () => say("A key that is held down counts once."),
});
for (const button of document.querySelectorAll("[data-do]")) {
  button.addEventListener("click", (event) => event.detail < 2 && DOES[button.dataset.do]());
}
$("keys-on").checked = localStorage.getItem("cranfield.keys") !== "off";
$("keys-on").addEventListener("change", ({ target }) => {
  localStorage.setItem("cranfield.keys", target.checked ? "on" : "off");
});
$("break").querySelector("button").addEventListener("click", () => {
  $("break").hidden = true;
  time.reminded();
});
prepare();

outbox.addEventListener("state", connected);
outbox.addEventListener("notices", notices);
outbox.addEventListener("outcome", ({ detail: { answer, status } }) => {
  if (status === "refused" && past.forget(answer.uuid)) progress.ask();
});
supply.addEventListener("changed", () => {
  failure = null;
  useScale();
  connected();
  if (!judging.item && !judging.moving) judging.goOn();
});
supply.addEventListener("failed", ({ detail }) => fail(detail));
addEventListener("offline", () => fail(new Failure("unreachable")));
addEventListener("online", () => supply.fill());

function notices() {
  drawNotices(outbox.notices, (notice) => outbox.dismiss(notice));
}

// Also tells the server that somebody is still at work, so that what is held stays theirs.
setInterval(() => document.hidden || supply.fill(), Math.max(20, (settings.lease_minutes * 60) / 4) * 1000);

leave("");
notices();
supply.fill();
progress.ask();
const waited = outbox.waiting.length;
// What waits is sent first: then it is among what the server has of earlier answers.
outbox.send().then(() => server.get(addresses.answered)).then(
  ({ items, topics }) => {
    supply.topics = { ...topics, ...supply.topics };
    past.load(items);
    if (waited) progress.ask();
  },
  () => {},
);
