// Answers on their way to the server. Each is in the browser's storage before anything else happens, and leaves it when
// the server has said what became of it: a reload, a lost connection or a closed tab loses none, and the server
// recognises by its uuid what comes twice. All tabs share the storage; one of them sends at a time.

const AT_ONCE = 100;
// When so many answers failed one after the other, and none was taken, it is not the answers.
const MOST_FAILURES = 3;
const FIRST_WAIT = 1000;
const LONGEST_WAIT = 30_000;

/**
 * Events, each with `detail`:
 *   state    {kind, waiting}: kind is sent, sending or that of a Failure; waiting is how many answers are still here
 *   put      the answer, also if another tab made it
 *   outcome  {answer, status, message}
 *   answered what the server sent beside the outcomes, if `more` asked for it
 *   notices  nothing: `notices` has changed
 */
export class Outbox extends EventTarget {
  /** `address` is that of judge-answers. `person` and `project` keep the answers of several apart in one browser. */
  constructor({ server, address, person, project }) {
    super();
    this.server = server;
    this.address = address;
    this.prefix = `cranfield.${person}.${project}.`;
    this.kind = "sent";
    /** What goes along with answers: the fields `next` and `have` of the request. */
    this.more = () => ({});
    this.wait = FIRST_WAIT;
    /** Answers on which the server failed: others go first, and each of these goes alone. */
    this.apart = new Set();
    addEventListener("storage", (event) => this.#changedElsewhere(event));
    addEventListener("online", () => this.send());
    document.addEventListener("visibilitychange", () => document.hidden || this.send());
  }

  /** Keeps an answer with what it is about, and sends it as soon as can be; throws if the browser keeps nothing. */
  put(answer, about) {
    const whole = { uuid: uuid(), time: new Date().toISOString(), ...answer };
    const last = this.#entries("answer.").at(-1)?.order ?? 0;
    localStorage.setItem(
      `${this.prefix}answer.${whole.uuid}`,
      JSON.stringify({ order: Math.max(Date.now(), last + 1), answer: whole, about }),
    );
    this.#tell("put", whole);
    this.send();
    return whole;
  }

  /** The answers that are still here, in the order in which they were given. */
  get waiting() {
    return this.#entries("answer.").map((entry) => entry.answer);
  }

  /** What became of answers that were not simply recorded, until somebody has read it. */
  get notices() {
    return this.#entries("notice.").map((entry) => entry.notice);
  }

  dismiss(notice) {
    localStorage.removeItem(`${this.prefix}notice.${notice.answer.uuid}`);
    this.#tell("notices");
  }

  /** Sends what is here. Never two requests at the same time, in however many tabs. */
  async send() {
    clearTimeout(this.timer);
    if (this.sending) return;
    this.sending = true;
    try {
      await alone(`${this.prefix}sending`, () => this.#sendAll());
      this.wait = FIRST_WAIT;
      this.#become("sent");
    } catch (failure) {
      if (!failure.kind) throw failure;
      this.message = failure.message;
      this.#become(failure.kind);
      this.#tryLater(failure);
    } finally {
      this.sending = false;
    }
    if (this.kind === "sent" && this.waiting.length) this.send();
  }

  async #sendAll() {
    const tried = new Set();
    let [atOnce, taken, failed] = [AT_ONCE, 0, null];
    for (let some = this.#next(atOnce, tried); some.length; some = this.#next(atOnce, tried)) {
      this.#become("sending");
      try {
        const content = await this.server.post(this.address, { answers: some, ...this.more() });
        const outcomes = new Map(content.outcomes.map((outcome) => [outcome.uuid, outcome]));
        for (const answer of some) this.#settle(answer, outcomes.get(answer.uuid));
        if (content.held) this.#tell("answered", content);
        taken += some.length;
      } catch (failure) {
        if (failure.kind !== "failed") throw failure;
        failed = failure;
        // One of them is at fault, perhaps: it shows which when each goes alone.
        if (some.length > 1) atOnce = 1;
        else for (const set of [this.apart, tried]) set.add(some[0].uuid);
        if (tried.size >= MOST_FAILURES && !taken) break;
      }
    }
    if (failed && this.waiting.length) throw failed;
  }

  /** What is sent next, of what was not tried in this round. */
  #next(atOnce, tried) {
    const waiting = this.waiting.filter((answer) => !tried.has(answer.uuid));
    const sound = waiting.filter((answer) => !this.apart.has(answer.uuid));
    return sound.length ? sound.slice(0, atOnce) : waiting.slice(0, 1);
  }

  #settle(answer, { status, message }) {
    if (message) {
      const kept = JSON.parse(localStorage.getItem(`${this.prefix}answer.${answer.uuid}`));
      const notice = { answer, status, message, about: kept?.about };
      localStorage.setItem(
        `${this.prefix}notice.${answer.uuid}`, JSON.stringify({ order: Date.now(), notice }),
      );
      this.#tell("notices");
    }
    localStorage.removeItem(`${this.prefix}answer.${answer.uuid}`);
    this.#tell("outcome", { answer, status, message });
  }

  /** Later and later; a little apart from others, who may have lost the same server. */
  #tryLater(failure) {
    const wait = Math.max(failure.seconds * 1000, this.wait) * (0.75 + Math.random() / 2);
    this.timer = setTimeout(() => this.send(), failure.passes ? wait : LONGEST_WAIT);
    this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
  }

  #changedElsewhere({ key, newValue }) {
    if (key === null) return this.#become(this.kind);
    if (key.startsWith(`${this.prefix}notice.`)) return this.#tell("notices");
    if (!key.startsWith(`${this.prefix}answer.`)) return;
    if (newValue) {
      this.#tell("put", JSON.parse(newValue).answer);
      // The other tab sends it; should it be closed meanwhile, this one does.
      this.send();
    } else if (!this.sending) {
      this.#become(this.waiting.length ? this.kind : "sent");
    }
  }

  #entries(kind) {
    const keys = Object.keys(localStorage).filter((key) => key.startsWith(this.prefix + kind));
    const found = keys.map((key) => JSON.parse(localStorage.getItem(key)));
    return found.filter(Boolean).sort((one, other) => one.order - other.order);
  }

  #become(kind) {
    this.kind = kind;
    this.#tell("state", { kind, message: this.message, waiting: this.waiting.length });
  }

  #tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}

/** Does something while no other tab does it. Browsers have locks for pages that come over TLS or from this machine. */
async function alone(name, work) {
  return navigator.locks ? navigator.locks.request(name, work) : work();
}

/** As crypto.randomUUID(), which browsers keep for such pages too. */
export function uuid() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
