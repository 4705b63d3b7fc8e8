// How far the assessor has come: counted on here as answers are given, and asked of the server now and then.

import { $, make } from "./drawing.js";

const ASK_AFTER = 20;

export class Progress {
  #given = 0;
  #topic = null;

  constructor({ server, address }) {
    this.server = server;
    this.address = address;
    this.topics = new Map();
  }

  async ask() {
    this.#given = 0;
    try {
      const { topics } = await this.server.get(this.address);
      this.topics = new Map(topics.map((row) => [row.topic, row]));
      this.draw();
    } catch (failure) {
      // The counts stay as they are; what else asks the server says what is wrong.
      if (!failure.kind) throw failure;
    }
  }

  /** A document of a topic was answered (1), or its answer taken back (-1). */
  count(topic, by) {
    const row = this.topics.get(topic);
    if (row) {
      row.done = Math.max(0, row.done + by);
      row.left = Math.max(0, row.left - by);
    }
    this.#given += 1;
    this.draw();
    if (this.#given >= ASK_AFTER) this.ask();
  }

  show(topic) {
    this.#topic = topic;
    this.draw();
  }

  draw() {
    const rows = [...this.topics.values()];
    const sum = (name) => rows.reduce((total, row) => total + row[name], 0);
    const row = this.topics.get(this.#topic);
    $("progress").hidden = !row;
    if (row) {
      const bar = $("progress").querySelector("progress");
      bar.max = row.done + row.left || 1;
      bar.value = row.done;
      bar.setAttribute("aria-label", "Of this topic");
      const [done, all] = [sum("done"), sum("done") + sum("left")];
      const words = `Topic ${row.name}: ${row.done} of ${row.done + row.left} done, ${done} of ${all} in all`;
      $("progress").querySelector("button").textContent = words;
    }
    const shown = rows.filter((one) => one.done + one.left);
    const total = line({ name: "All", title: "", done: sum("done"), left: sum("left") });
    document.querySelector("#progress-of-topics tbody").replaceChildren(...shown.map(line), total);
  }
}

function line({ name, title, done, left }) {
  const numbers = [done, left].map((number) => make("td", { className: "number" }, String(number)));
  return make("tr", {}, make("td", {}, title ? `${name}: ${title}` : name), ...numbers);
}
