// Documents that are here before they are asked for. Each tab has a queue of its own; which document a tab shows is
// known to all of them by a lock, so that no two show the same.

const AHEAD = 5;
const LOW = 3;
const FIRST_WAIT = 1000;
const LONGEST_WAIT = 30_000;

/** Events: `changed` when there may be something to show that was not there before, `failed` with a Failure. */
export class Supply extends EventTarget {
  constructor({ server, address, outbox, prefix }) {
    super();
    Object.assign(this, { server, address, outbox, prefix });
    this.topics = {};
    this.queue = [];
    this.scale = null;
    this.closed = false;
    this.known = false;
    this.shown = null;
    this.settled = new Set();
    this.elsewhere = new Set();
    this.wait = FIRST_WAIT;
    for (const answer of outbox.waiting) this.#answered(answer);
    outbox.more = () => ({ next: this.#count, have: this.#have });
    outbox.addEventListener("answered", ({ detail }) => this.#take(detail));
    outbox.addEventListener("put", ({ detail }) => this.#answered(detail));
    outbox.addEventListener("outcome", ({ detail }) => this.#outcome(detail));
  }

  /** The next document, which is then this tab's; null if none is here. */
  async next() {
    this.release();
    const known = this.elsewhere.size;
    for (const item of [...this.queue]) {
      if (this.#isSettled(item.slot)) {
        this.#drop(item.slot);
      } else if (await this.hold(item)) {
        this.#drop(item.slot);
        if (this.queue.length < LOW && !this.outbox.waiting.length) this.fill();
        return item;
      }
    }
    if (this.elsewhere.size > known) this.fill();
    return null;
  }

  /** Makes a document this tab's; false if another tab has it on screen. */
  async hold(item) {
    const release = await hold(`${this.prefix}shown.${item.slot}`);
    if (!release) {
      this.elsewhere.add(item.slot);
      return false;
    }
    this.release();
    this.elsewhere.delete(item.slot);
    this.shown = item.slot;
    this.letGo = release;
    return true;
  }

  release() {
    this.letGo?.();
    this.letGo = this.shown = null;
  }

  /** A document that was not answered after all comes first again. */
  putBack(item) {
    this.settled.delete(item.slot);
    this.#drop(item.slot);
    this.queue.unshift(item);
  }

  /** Asks the server for more, which also tells it that somebody is still at work. */
  async fill() {
    if (this.filling) return;
    this.filling = true;
    try {
      const have = this.#have.map((slot) => ["have", slot]);
      this.#take(await this.server.get(this.address, [["n", this.#count], ...have]));
    } catch (failure) {
      if (!failure.kind) throw failure;
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.fill(), failure.passes ? this.wait : LONGEST_WAIT);
      this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
      this.dispatchEvent(new CustomEvent("failed", { detail: failure }));
    } finally {
      this.filling = false;
    }
  }

  get #have() {
    return [this.shown, ...this.queue.map((item) => item.slot)].filter(Boolean);
  }

  get #count() {
    return AHEAD + this.elsewhere.size;
  }

  #take({ items, held, topics, scale, closed }) {
    Object.assign(this.topics, topics);
    Object.assign(this, { scale, closed, known: true, wait: FIRST_WAIT });
    const all = new Map([...this.queue, ...items].map((item) => [item.slot, item]));
    const mine = held.filter((slot) => slot !== this.shown && !this.#isSettled(slot));
    this.queue = mine.map((slot) => all.get(slot)).filter(Boolean);
    this.elsewhere = new Set([...this.elsewhere].filter((slot) => held.includes(slot)));
    this.dispatchEvent(new CustomEvent("changed"));
  }

  #answered(answer) {
    if (answer.action === "withdraw") this.settled.delete(answer.slot);
    else if (answer.action !== "note") this.settled.add(answer.slot);
  }

  #outcome({ answer, status }) {
    if (status === "refused" && answer.action !== "note") this.settled.delete(answer.slot);
  }

  #isSettled(slot) {
    return this.settled.has(slot);
  }

  #drop(slot) {
    this.queue = this.queue.filter((item) => item.slot !== slot);
  }
}

/** A lock that lasts until the function that comes of it is called or the tab is closed; null if another tab has it. */
function hold(name) {
  if (!navigator.locks) return Promise.resolve(() => {});
  return new Promise((resolve) => {
    navigator.locks.request(name, { ifAvailable: true }, (lock) => {
      if (!lock) return resolve(null);
      return new Promise((release) => resolve(release));
    });
  });
}
