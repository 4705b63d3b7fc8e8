// How long somebody was at work on a document, which is not how long it was on the screen: time counts while the page
// can be seen, and for no more than two minutes after the last sign of life, as in the terminal.

const IDLE_AFTER = 120_000;
// Who was away for so long has had a break.
const BREAK = 5 * 60_000;
// Moving a mouse gives more signs than are worth counting.
const OFTEN = 500;
const SIGNS = ["keydown", "pointerdown", "pointermove", "wheel", "touchmove", "scroll"];

/** A watch that runs while there are signs of life; the times are milliseconds of any clock. */
export class Watch {
  #counted = 0;
  #since = null;

  begin(now, counted) {
    this.#counted = counted;
    this.#since = now;
  }

  sign(now) {
    this.#counted += this.#running(now);
    this.#since = now;
  }

  pause(now) {
    this.#counted += this.#running(now);
    this.#since = null;
  }

  milliseconds(now) {
    return Math.round(this.#counted + this.#running(now));
  }

  #running(now) {
    return this.#since === null ? 0 : Math.min(Math.max(now - this.#since, 0), IDLE_AFTER);
  }
}

/** The time on the document on screen, and in the whole sitting, over all tabs. */
export class ActiveTime {
  #document = new Watch();
  #noted = 0;
  #last = 0;
  #slot = null;
  #earlier = new Map();

  /** `remind` is called when somebody has been at work for `minutes` without a break. */
  constructor({ key, minutes, remind }) {
    this.key = key;
    this.minutes = minutes;
    this.remind = remind;
    for (const name of SIGNS) addEventListener(name, () => this.#sign(), { capture: true, passive: true });
    document.addEventListener("visibilitychange", () => (document.hidden ? this.#hide() : this.#sign()));
  }

  /** A document is shown; what was counted of it before, if it was on screen already, goes on. */
  begin(slot) {
    this.#note();
    if (this.#slot) this.#earlier.set(this.#slot, { counted: this.milliseconds, shownAt: this.shownAt });
    const { counted, shownAt } = this.#earlier.get(slot) ?? { counted: 0, shownAt: new Date().toISOString() };
    this.#document.begin(Date.now(), counted);
    if (document.hidden) this.#document.pause(Date.now());
    this.#noted = counted;
    this.#slot = slot;
    this.shownAt = shownAt;
  }

  get milliseconds() {
    return this.#document.milliseconds(Date.now());
  }

  /** The assessor has been reminded, and goes on. */
  reminded() {
    this.#keep({ worked: 0, last: Date.now() });
  }

  #sign() {
    if (document.hidden || Date.now() - this.#last < OFTEN) return;
    this.#last = Date.now();
    this.#document.sign(Date.now());
    this.#note();
  }

  #hide() {
    this.#document.pause(Date.now());
    this.#note();
  }

  /** Adds to the sitting what has been counted since the last time. */
  #note() {
    const now = Date.now();
    const counted = this.milliseconds;
    const before = JSON.parse(localStorage.getItem(this.key) ?? "null") ?? { worked: 0, last: now };
    const worked = now - before.last > BREAK ? 0 : before.worked + counted - this.#noted;
    this.#noted = counted;
    this.#keep({ worked, last: now });
    if (this.minutes && worked >= this.minutes * 60_000) this.remind(Math.round(worked / 60_000));
  }

  #keep(sitting) {
    try {
      localStorage.setItem(this.key, JSON.stringify(sitting));
    } catch {
      // A browser that keeps nothing reminds nobody; that it keeps no answers either is said where one answers.
    }
  }
}
