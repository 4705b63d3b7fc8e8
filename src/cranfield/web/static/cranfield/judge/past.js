// What the assessor has answered: to go back to, to correct, to take back.

const REMEMBERED = 50;

export class Past {
  constructor() {
    /** Documents with the answer that stands, the latest last. */
    this.entries = [];
    /** What was done in this sitting, notes included, the latest last. */
    this.done = [];
    this.place = 0;
  }

  /** What the server knows of earlier sittings goes before what was done in this one. */
  load(items) {
    const here = new Set(this.entries.map((entry) => entry.slot));
    const before = items.filter((item) => item.standing && !here.has(item.slot)).reverse();
    const moved = this.place === this.entries.length;
    this.entries.unshift(...before);
    this.place = moved ? this.entries.length : this.place + before.length;
  }

  add(item, answer) {
    this.done.push({ item, answer });
    if (answer.action === "note") return;
    const entry = { ...item, standing: answer, before: item.standing };
    const at = this.entries.findIndex((one) => one.slot === item.slot);
    if (at >= 0) this.entries[at] = entry;
    else this.entries.push(entry);
    this.entries.splice(0, this.entries.length - REMEMBERED);
    this.place = this.entries.length;
  }

  /** An answer that the server did not take was never given; whether there was one. */
  forget(uuid) {
    const there = this.entries.length;
    this.done = this.done.filter(({ answer }) => answer.uuid !== uuid);
    this.entries = this.entries.filter(({ standing }) => standing.uuid !== uuid);
    this.place -= there - this.entries.length;
    return this.entries.length < there;
  }

  /** One step back or forward: the entry there, undefined for the document to be judged, null beyond the ends. */
  step(by) {
    const place = this.place + by;
    if (place < 0 || place > this.entries.length) return null;
    this.place = place;
    return this.entries[place];
  }

  /** Where one judges. */
  toPresent() {
    this.place = this.entries.length;
  }

  get inPast() {
    return this.place < this.entries.length;
  }

  /** The last thing that was done, and what the document is without it; null if there is nothing. */
  takeBack() {
    const { item, answer } = this.done.pop() ?? { item: this.entries.at(-1), answer: this.entries.at(-1)?.standing };
    if (!item) return null;
    if (answer.action === "note") return { item, answer, at: -1 };
    const at = this.entries.findIndex((entry) => entry.slot === item.slot);
    const standing = this.entries[at]?.before ?? null;
    const before = { ...item, standing };
    if (standing) this.entries[at] = before;
    else if (at >= 0) this.entries.splice(at, 1);
    this.toPresent();
    return { item: before, answer, at };
  }
}
