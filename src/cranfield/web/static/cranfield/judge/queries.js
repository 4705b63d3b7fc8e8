// Beside the results: how many there are, and what was asked before.

import { $, make } from "./drawing.js";

/** Says how many documents a query found; whether there may be more of them than the `count` that was asked for. */
export function drawCount({ query, results, without_text }, count) {
  const more = results.length + without_text >= count;
  const number = results.length === 1 ? "1 document" : `${results.length} documents`;
  const found = results.length ? `${more ? "The best " : ""}${number} for “${query}”.` : `Nothing is found for “${query}”. Try other words.`;
  const without = without_text ? ` ${without_text} more cannot be shown: their text is not here.` : "";
  $("count").textContent = found + without;
  return more;
}

/** Lists earlier queries, each to be asked again. */
export function drawQueries(queries, search) {
  $("earlier").hidden = !queries.length;
  $("earlier").querySelector("span").textContent = String(queries.length);
  const rows = queries.map(({ text, found, new: fresh }) => {
    const counts = make("span", { className: "dim" }, ` (${found} found, ${fresh} new)`);
    const button = make("button", { type: "button", className: "quiet" }, text, counts);
    button.addEventListener("click", () => search(text));
    return make("li", {}, button);
  });
  $("earlier").querySelector("ul").replaceChildren(...rows);
}
