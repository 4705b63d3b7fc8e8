// Which key does what: those of the terminal, docs/pooling/judging.md, and for pairs the arrows.

import { isOpen } from "./dialogs.js";

const DOES = {
  u: "unsure", s: "skip", n: "note", z: "undo", b: "back", f: "forward", "/": "words", g: "guideline", "?": "help",
  t: "topic", w: "room", q: "end", j: "lineDown", k: "lineUp", " ": "pageDown", "-": "pageUp",
};
export const PREFERENCES = [
  { key: "1", arrow: "ArrowLeft", shown: "←", preferred: "left", name: "Document 1 is better" },
  { key: "2", arrow: "ArrowRight", shown: "→", preferred: "right", name: "Document 2 is better" },
  { key: "0", arrow: null, shown: "", preferred: "same", name: "Both the same" },
];
const WRITING = "input, textarea, select, [contenteditable]";
// What these do with a key, they do.
const OWN_SPACE = "button, a, summary, input";

/** Calls `give(key)` for the key of an answer and `perform(name)` for the others. */
export function listen({ isAnswer, give, perform, areOn, held }) {
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing || isOpen()) return;
    if (event.target.closest?.(WRITING)) return;
    if (event.key === " " && (event.shiftKey || event.target.closest?.(OWN_SPACE))) return;
    const key = meant(event).find((one) => DOES[one] || isAnswer(one));
    if (!key || (!areOn() && key !== "?")) return;
    event.preventDefault();
    // A key that is held down comes again and again: only scrolling wants that.
    if (event.repeat && !"jk -".includes(key)) return held();
    if (DOES[key]) perform(DOES[key]);
    else give(key);
  });
}

/** The key; with Caps Lock, the small letter; where digits want Shift, as on French keyboards, the digit. */
function meant({ key, code, shiftKey }) {
  const digit = /^Digit(\d)$/.exec(code)?.[1];
  return [key, key.toLowerCase(), ...(digit && !shiftKey ? [digit] : [])];
}
