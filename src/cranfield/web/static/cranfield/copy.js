// A button that copies what is in a field; it says so, and where copying is not allowed the field is selected.
for (const button of document.querySelectorAll("button[data-copy]")) {
  const field = document.getElementById(button.dataset.copy);
  button.addEventListener("click", async () => {
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
    } catch {
      if (!document.execCommand("copy")) return;
    }
    button.textContent = "Copied";
  });
}
