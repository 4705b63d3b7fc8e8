// What a search has found, as a list to go through.

import { $, make } from "./drawing.js";
import { finding, putText } from "./marking.js";

const STATES = {
  judged: "judged",
  enough: "already judged by enough people",
  out: "taken out by the manager",
};

export class Results {
  /** `open(result)` is called when one is chosen; `words(answer)` says an answer. */
  constructor({ open, words }) {
    Object.assign(this, { open, words, all: [], current: null, found: null });
    $("results").addEventListener("keydown", (event) => this.#move(event));
  }

  show({ results, words }) {
    this.all = results;
    this.found = finding(words);
    this.current = null;
    $("results").replaceChildren(...results.map((result) => this.#row(result)));
  }

  /** One of them is on screen, or null: none is. */
  choose(result) {
    this.current = result;
    for (const one of this.all) this.#button(one).setAttribute("aria-current", String(one === result));
    if (result) this.#button(result).scrollIntoView({ block: "nearest" });
  }

  /** After an answer, or when one was taken back. */
  redraw(result) {
    const at = this.all.indexOf(result);
    if (at < 0) return;
    $("results").children[at].replaceWith(this.#row(result));
    if (this.current === result) this.choose(result);
  }

  /** The first from the current one on that can still be judged. */
  nextOpen() {
    const at = this.all.indexOf(this.current);
    return this.all.slice(at + 1).find((one) => one.state === "open") ?? null;
  }

  beside(by) {
    return this.all[this.all.indexOf(this.current) + by] ?? null;
  }

  focus(result = this.all[0]) {
    if (result) this.#button(result).focus();
  }

  #row(result) {
    const title = make("span", { className: "title" });
    putText(title, result.title || result.document, this.found);
    const snippet = make("span", { className: "snippet" });
    putText(snippet, result.snippet, this.found);
    const button = make("button", { type: "button" }, title);
    const state = result.standing ? `you: ${this.words(result.standing)}` : STATES[result.state];
    if (state) button.append(" ", make("span", { className: "state" }, state));
    button.append(snippet);
    button.addEventListener("click", () => this.open(result));
    return make("li", { className: result.state }, button);
  }

  #button(result) {
    return $("results").children[this.all.indexOf(result)].firstElementChild;
  }

  #move(event) {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!by || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const at = [...$("results").children].indexOf(event.target.closest("li"));
    if (at + by < 0) $("query").focus();
    else this.focus(this.all[Math.min(at + by, this.all.length - 1)]);
  }
}
