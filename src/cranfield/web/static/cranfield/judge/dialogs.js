// Small windows over the page; Escape closes each, and the focus goes back to where it was.

const $ = (id) => document.getElementById(id);

/** What was written and not saved, by what it is about: Escape loses nothing. */
const drafts = new Map();

/** Asks for words: what was said, or null if nothing was; `about` is what they belong to. */
export function ask({ question, help = "", words = "", required = true, about = question }) {
  const dialog = $("ask");
  const field = $("ask-words");
  $("ask-question").textContent = question;
  $("ask-help").textContent = help;
  field.value = drafts.get(about) ?? words;
  field.required = required;
  dialog.returnValue = "";
  dialog.showModal();
  field.focus();
  return new Promise((resolve) => {
    dialog.addEventListener(
      "close",
      () => {
        const said = field.value.trim();
        const saved = dialog.returnValue === "say" && (said !== "" || !required);
        if (saved) drafts.delete(about);
        else drafts.set(about, field.value);
        resolve(saved ? said : null);
      },
      { once: true },
    );
  });
}

export function open(id) {
  $(id).showModal();
}

export function isOpen() {
  return document.querySelector("dialog[open]") !== null;
}

/** Enter says what was written; with Shift it begins a new line. */
export function prepare() {
  const field = $("ask-words");
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    field.form.requestSubmit(field.form.querySelector("[value=say]"));
  });
  field.addEventListener("input", () => field.setCustomValidity(""));
  field.form.addEventListener("submit", (event) => {
    if (event.submitter?.value !== "say" || !field.required || field.value.trim()) return;
    event.preventDefault();
    field.setCustomValidity("Say why, in a few words.");
    field.reportValidity();
  });
}
