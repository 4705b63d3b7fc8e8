// Asks the server, and says in one word what went wrong if it did not answer as it should.

/** `kind` is one of: unreachable, busy, failed, logged-out, somebody-else, form-too-old, not-yours, not-understood. */
export class Failure extends Error {
  constructor(kind, message = "", seconds = 0) {
    super(message || kind);
    this.kind = kind;
    this.seconds = seconds;
  }

  /** Whether the same request can succeed later without anybody doing anything. */
  get passes() {
    return ["unreachable", "busy", "failed"].includes(this.kind);
  }
}

const LONGEST_WAIT = 30_000;
const LARGEST_KEPT_ALIVE = 60_000;

export class Server {
  /** `person` is whom the page was made for: the server refuses if somebody else is logged in by now. */
  constructor(person) {
    this.person = person;
  }

  get(address, parameters = []) {
    const query = new URLSearchParams(parameters).toString();
    return this.#ask(query ? `${address}?${query}` : address, {});
  }

  post(address, content) {
    const body = JSON.stringify(content);
    // What was sent as the page was closed still arrives; browsers allow that for small requests.
    return this.#ask(address, { method: "POST", body, keepalive: body.length < LARGEST_KEPT_ALIVE });
  }

  async #ask(address, options) {
    const headers = { "X-Cranfield-Person": this.person, "X-CSRFToken": token(), "Content-Type": "application/json" };
    const whole = { ...options, headers, redirect: "manual", signal: AbortSignal.timeout(LONGEST_WAIT) };
    let response;
    try {
      response = await fetch(address, whole);
      if (response.ok) return await response.json();
    } catch {
      throw new Failure("unreachable");
    }
    throw await failure(response);
  }
}

async function failure(response) {
  if (response.type === "opaqueredirect") return new Failure("logged-out");
  if (response.status === 403) return new Failure("form-too-old");
  if (response.status === 404) return new Failure("not-yours");
  if (response.status === 409) return new Failure("somebody-else");
  if (response.status === 500) return new Failure("failed");
  if (response.status > 500 || response.status === 429) {
    return new Failure("busy", "", Number(response.headers.get("Retry-After")) || 0);
  }
  const content = await response.json().catch(() => ({}));
  return new Failure("not-understood", content.error);
}

/** Read anew each time: logging in again, in another tab, changes it. */
function token() {
  return /(?:^|; )csrftoken=([^;]+)/.exec(document.cookie)?.[1] ?? "";
}
