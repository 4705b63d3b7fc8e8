// Adjudicating by keyboard: a grade's key chooses it and goes on to the reason, Ctrl+Enter decides.
const form = document.getElementById("decision");
const reason = form.elements.reason;

function choose(radio) {
  radio.checked = true;
  reason.focus();
}

document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    form.requestSubmit();
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (event.target.matches("textarea, input:not([type=radio]), select")) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  const named = [...document.querySelectorAll("[data-key]")].find((one) => one.dataset.key === event.key);
  if (event.key === "r") reason.focus();
  else if (named?.type === "radio") choose(named);
  else if (named) named.click();
  else return;
  event.preventDefault();
});

form.addEventListener("submit", () => {
  form.querySelector("button").disabled = true;
});
