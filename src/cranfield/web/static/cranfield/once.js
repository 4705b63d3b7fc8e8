// A form is sent once, however often its button is pressed until the answer comes.
let sent = new WeakSet();

addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented || form.method !== "post") return;
  if (sent.has(form)) event.preventDefault();
  sent.add(form);
});

// Whoever comes back to the page may send it again.
addEventListener("pageshow", () => {
  sent = new WeakSet();
});
