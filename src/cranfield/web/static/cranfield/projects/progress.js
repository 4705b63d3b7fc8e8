// Keeps the progress of a project as it is, while the page is looked at.
const EVERY = 10_000;
const place = document.querySelector("[data-progress]");

async function refresh() {
  if (document.hidden || place.contains(document.activeElement)) return;
  const response = await fetch(place.dataset.progress, { redirect: "manual", headers: { Accept: "text/html" } });
  if (!response.ok) return;
  const open = [...place.querySelectorAll("details[open]")].map((details) => details.id);
  place.innerHTML = await response.text();
  for (const id of open) document.getElementById(id)?.setAttribute("open", "");
}

if (place) setInterval(() => refresh().catch(() => {}), EVERY);
