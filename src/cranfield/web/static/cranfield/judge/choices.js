// What one can answer with one key: the grades of the scale, or which of two documents is better.

import { PREFERENCES } from "./keys.js";

export class Choices {
  constructor(mode, grades) {
    const pairs = mode === "pairs";
    this.all = pairs ? PREFERENCES : grades.map((grade) => ({ ...grade, key: grade.key || String(grade.value) }));
  }

  byKey(key) {
    return this.all.find((choice) => choice.key === key || choice.arrow === key);
  }

  /** The fields of the answer. */
  fields(choice) {
    return choice.preferred ? { preferred: choice.preferred } : { grade: choice.value };
  }

  /** Which of them an answer gave; -1 if none of these. */
  placeOf(answer) {
    if (answer.action !== "grade") return -1;
    return this.all.findIndex((choice) =>
      choice.preferred ? choice.preferred === answer.preferred : choice.value === answer.grade,
    );
  }

  /** An answer in words. */
  words(answer) {
    if (answer.action === "unsure") return "unsure";
    if (answer.action === "skip") return `skipped (${answer.reason})`;
    if (answer.action === "note") return "note kept";
    const choice = this.all[this.placeOf(answer)];
    if (!choice) return String(answer.preferred || answer.grade);
    return choice.preferred ? choice.name : `${choice.value} ${choice.name}`;
  }
}
