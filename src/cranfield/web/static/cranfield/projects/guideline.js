// Shows below a guideline how assessors will see it, as it is written.
const PAUSE = 400;

for (const area of document.querySelectorAll("textarea[data-guideline]")) {
  const form = area.form;
  const shown = document.createElement("div");
  shown.className = "preview guideline";
  shown.setAttribute("aria-label", "Preview of the guideline");
  shown.setAttribute("role", "region");
  area.after(shown);
  let waiting;
  const show = async () => {
    const body = new FormData();
    body.set("guideline", area.value);
    body.set("csrfmiddlewaretoken", form.elements.csrfmiddlewaretoken.value);
    const response = await fetch(form.dataset.preview, { method: "POST", body, redirect: "manual" });
    if (response.ok) shown.innerHTML = await response.text();
  };
  area.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => show().catch(() => {}), PAUSE);
  });
  if (area.value.trim()) show().catch(() => {});
}
