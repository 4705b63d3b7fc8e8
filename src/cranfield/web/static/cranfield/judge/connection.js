// Says how it stands with the server, and what became of answers that were not simply recorded.

import { $, make } from "./drawing.js";

const WORDS = {
  unreachable: "Offline",
  busy: "The server is busy",
  failed: "The server has failed (tell the manager, should it stay so)",
  "logged-out": "You are logged out",
  "somebody-else": "Somebody else has logged in here",
  "form-too-old": "This page is too old",
  "not-yours": "You are not in this project any more",
  "not-understood": "The server did not understand this page",
};
const LINKS = { "logged-out": "Log in", "somebody-else": "Log in again", "form-too-old": "Load it again" };

/** What the line says, such as `Offline, 3 answers wait.` */
export function state(kind, waiting, message = "") {
  const wait = waiting === 1 ? "1 answer waits" : `${waiting} answers wait`;
  const what = kind === "not-understood" && message ? `${WORDS[kind]} (${message})` : WORDS[kind];
  return `${what}${waiting ? `, ${wait}` : ""}.`;
}

/** Shows it; gives the words if something is amiss, and an empty text if all is well. */
export function drawConnection({ kind, waiting, message, login }) {
  const line = $("connection");
  line.hidden = !(kind in WORDS);
  if (line.hidden) return "";
  const said = state(kind, waiting, message);
  line.replaceChildren(make("strong", {}, said));
  if (waiting) line.append(" They are kept in this browser, and sent once as soon as that is possible.");
  const href = kind === "form-too-old" ? location.href : login;
  if (kind in LINKS) line.append(" ", make("a", { href }, LINKS[kind]));
  return said;
}

export function drawNotices(notices, dismiss) {
  const rows = notices.map((notice) => {
    const words = { refused: "Not recorded", late: "Too late", recorded: "Recorded" }[notice.status];
    const button = make("button", { type: "button", className: "quiet" }, "Dismiss");
    button.addEventListener("click", () => dismiss(notice));
    const about = notice.about ? `${notice.about}. ` : "";
    const className = notice.status === "refused" ? "error" : "";
    return make("li", { className }, `${words}: ${about}${notice.message} `, button);
  });
  $("notices").replaceChildren(...rows);
}
