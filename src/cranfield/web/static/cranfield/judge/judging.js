// What is on screen, and what answers do. A document that was answered makes room for the next at once: whether the
// server has heard of it is the business of the outbox.

import { $, drawItem, drawTopic, pressChoice, titleOf } from "./drawing.js";

// So long a document has to be on screen before a key judges it, as in the terminal: nobody can have read it.
const SEEN_AFTER = 150;

export class Judging {
  constructor({ outbox, supply, past, progress, time, say, words, leave }) {
    Object.assign(this, { outbox, supply, past, progress, time, say, words, leave });
    /** The document to be judged, also while one looks back; null if there is none. */
    this.pending = null;
    this.item = null;
    this.topic = null;
  }

  /** Between two documents nothing can be answered. */
  get moving() {
    return $("documents").ariaBusy === "true";
  }

  set moving(is) {
    $("documents").ariaBusy = String(is);
  }

  /** Shows what is to be judged, if it is not on screen already. */
  async goOn(said = "") {
    if (this.moving) return;
    this.moving = true;
    this.past.toPresent();
    this.pending ??= await this.supply.next();
    this.moving = false;
    if (this.pending) this.show(this.pending, said);
    else this.leave(said);
  }

  show(item, said = "", focus = true) {
    const topic = this.supply.topics[item.topic];
    const isNew = this.item !== item;
    for (const id of ["topic", "documents", "answers"]) $(id).hidden = false;
    $("calm").hidden = true;
    drawTopic(topic, this.topic !== item.topic);
    this.progress.show(item.topic);
    const { standing } = item;
    const heading = drawItem(item, [...topic.words, ...this.words()], standing ? this.standing(standing) : "");
    pressChoice(standing ? this.choices.placeOf(standing) : null);
    this.topic = item.topic;
    this.item = item;
    if (isNew) {
      this.time.begin(item.slot);
      this.shown = performance.now();
    }
    if (focus) heading.focus({ preventScroll: true });
    const where = this.past.inPast ? "Your answer to" : "Now";
    this.say(`${said ? `${said} ` : ""}${where}: ${titleOf(item).replace(/[.\s]+$/, "")}.`, said);
  }

  /** Gives the answer of a key. */
  give(key) {
    const choice = this.choices.byKey(key);
    if (choice) this.answer("grade", this.choices.fields(choice));
  }

  /** Answers the document on screen, and goes on to the next. */
  answer(action, fields = {}) {
    const { item } = this;
    if (!item || this.moving) return;
    if (performance.now() - this.shown < SEEN_AFTER) {
      this.say("Too soon: nobody can have read this one.");
      return;
    }
    const answer = this.#put(item, action, fields);
    if (!answer) return;
    this.past.add(item, answer);
    if (!item.standing) this.progress.count(item.topic, 1);
    if (item.slot === this.pending?.slot) this.pending = null;
    this.goOn(`${titleOf(item)}: ${this.choices.words(answer)}.`);
  }

  note(text) {
    const answer = this.item && this.#put(this.item, "note", { reason: text });
    if (!answer) return;
    this.past.add(this.item, answer);
    this.say("The note is kept.");
  }

  /** Takes back the last thing that was done; its document is on screen again. */
  async undo() {
    if (this.moving) return;
    const taken = this.past.takeBack();
    if (!taken) return this.say("There is nothing to take back.");
    const { item, answer, at } = taken;
    this.#put(item, "withdraw", { supersedes: answer.uuid });
    const said = `Taken back: ${titleOf(item)}: ${this.choices.words(answer)}.`;
    if (answer.action === "note") return this.say(said);
    if (item.standing) {
      this.past.place = at;
      return this.show(item, said);
    }
    this.progress.count(item.topic, -1);
    if (this.pending) this.supply.putBack(this.pending);
    this.moving = true;
    await this.supply.hold(item);
    this.moving = false;
    this.pending = item;
    this.show(item, said);
  }

  /** Through own answers: -1 back, 1 forward. */
  step(by) {
    if (this.moving) return;
    const entry = this.past.step(by);
    if (entry === null) this.say(by < 0 ? "There is nothing before this." : "This is the one to be judged.");
    else if (entry) this.show(entry);
    else this.goOn();
  }

  /** The same again, as when other words are to be marked. */
  redraw() {
    if (this.item) this.show(this.item, "", false);
  }

  standing(answer) {
    return `Your answer: ${this.choices.words(answer)}. Another one replaces it.`;
  }

  #put(item, action, fields) {
    const atWork = { shown_at: this.time.shownAt, active_ms: this.time.milliseconds };
    const whole = {
      slot: item.slot, action, scale: this.supply.scale.version, document_sha256: item.document.sha256,
      ...(action === "withdraw" ? {} : atWork), ...fields,
    };
    try {
      return this.outbox.put(whole, titleOf(item));
    } catch {
      this.say("Not recorded: this browser keeps nothing. Make room in its storage, or leave its private mode.");
      return null;
    }
  }
}
