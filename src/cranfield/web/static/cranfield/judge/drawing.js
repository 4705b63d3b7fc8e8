// Puts topics, documents and answers onto the page. All but the text of documents is put in as text.

import { finding, putText, textOf } from "./marking.js";

export const $ = (id) => document.getElementById(id);

/** An element with these properties and children. */
export function make(name, properties = {}, ...children) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

export function drawTopic(topic, isNew) {
  $("topic-title").textContent = topic.title || topic.name;
  for (const part of ["description", "narrative"]) {
    $(`topic-${part}`).textContent = topic[part];
    $(`topic-${part}`).hidden = !topic[part];
  }
  if (isNew) $("topic").querySelector("details").open = true;
}

/** One document, or two beside each other; gives the heading that takes the focus. */
export function drawItem(item, words, standing) {
  const found = item.other ? [item.document, item.other] : [item.document];
  const articles = found.map((one, place) => article(one, words, found.length > 1 ? place + 1 : 0));
  const pane = $("documents");
  pane.replaceChildren(...(standing ? [make("p", { className: "standing" }, standing)] : []), ...articles);
  pane.classList.toggle("pair", found.length > 1);
  pane.setAttribute("aria-label", found.length > 1 ? "Documents" : "Document");
  pane.scrollTop = 0;
  return articles[0].querySelector("h1, h2");
}

export function titleOf(item) {
  const name = (one) => one.title || one.name;
  return item.other ? `${name(item.document)}, and ${name(item.other)}` : name(item.document);
}

function article(one, words, number) {
  const heading = make(number ? "h2" : "h1", { tabIndex: -1 });
  if (number) heading.append(make("kbd", {}, String(number)), " ");
  const title = make("span", { dir: "auto" });
  putText(title, one.title || one.name, finding(words));
  heading.append(title);
  // On a small screen a long title is cut until somebody wants to read all of it.
  heading.addEventListener("click", () => heading.classList.toggle("whole"));
  const parts = [heading];
  if (one.title) parts.push(make("p", { className: "dim name" }, one.name));
  if (/^(https:|data:image\/)/.test(one.image)) {
    // Whoever has the picture shall not learn where it is shown.
    const attributes = { referrerPolicy: "no-referrer", alt: `Picture of ${one.title || one.name}`, src: one.image };
    parts.push(make("img", attributes));
  }
  const text = make("div", { className: "text", dir: "auto" });
  text.append(textOf(one.html, words));
  const nothing = make("p", { className: "dim" }, "This document has no text.");
  if (!text.textContent.trim() && !one.image) text.append(nothing);
  parts.push(text);
  if (one.fields.length) parts.push(fields(one.fields, finding(words)));
  return make("article", { className: "document" }, ...parts);
}

function fields(pairs, found) {
  const list = make("dl", { className: "fields" });
  for (const [name, value] of pairs) {
    const shown = make("dd", { dir: "auto" });
    putText(shown, value, found);
    list.append(make("dt", {}, name), shown);
  }
  return list;
}

/** The buttons of the grades, or of preferences: `choices` have key, name and definition. */
export function drawChoices(choices, give) {
  const buttons = choices.map((choice) => {
    const name = make("span", { className: "name" }, choice.name);
    const button = make("button", { type: "button" }, ...keysOf(choice), " ", name);
    if (choice.definition) button.append(" ", make("span", { className: "definition" }, choice.definition));
    button.addEventListener("click", (event) => event.detail < 2 && give(choice.key));
    return button;
  });
  $("grades").replaceChildren(...buttons);
  const rows = choices.map((choice) => {
    const words = choice.definition ? `${choice.name}: ${choice.definition}` : choice.name;
    return make("tr", {}, make("td", {}, ...keysOf(choice)), make("td", {}, words));
  });
  document.querySelector(".grade-keys").replaceChildren(...rows);
  for (const list of document.querySelectorAll(".definitions")) {
    const defined = choices.filter((choice) => choice.definition);
    list.replaceChildren(...defined.flatMap((choice) => [
      make("dt", {}, make("kbd", {}, choice.key), ` ${choice.name}`), make("dd", {}, choice.definition),
    ]));
  }
}

function keysOf({ key, shown }) {
  return [key, shown].filter(Boolean).flatMap((one) => [make("kbd", {}, one), " "]).slice(0, -1);
}

/** Which choice stands, where one looks back. */
export function pressChoice(place) {
  [...$("grades").children].forEach((button, at) => {
    if (place === null) button.removeAttribute("aria-pressed");
    else button.setAttribute("aria-pressed", String(at === place));
  });
}
