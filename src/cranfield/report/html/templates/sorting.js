// Tables that are sorted by a button in each head; what has no value comes last, whatever the direction.
const cranfieldSorting = (() => {
  "use strict";

  function valueOf(row, column) {
    const text = row.cells[column].dataset.value;
    if (text === undefined || text === "") return null;
    const number = Number(text);
    return Number.isNaN(number) ? text : number;
  }

  function compare(one, other) {
    if (typeof one === "number" && typeof other === "number") return one - other;
    return String(one).localeCompare(String(other), undefined, { numeric: true });
  }

  function sortBy(table, head, direction) {
    const column = [...head.parentElement.children].indexOf(head);
    const sign = direction === "ascending" ? 1 : -1;
    const body = table.tBodies[0];
    const rows = [...body.rows].map((row, place) => ({ row, place, value: valueOf(row, column) }));
    rows.sort((a, b) => {
      if (a.value === null || b.value === null) return (a.value === null) - (b.value === null) || a.place - b.place;
      return sign * compare(a.value, b.value) || a.place - b.place;
    });
    body.append(...rows.map((one) => one.row));
    for (const other of head.parentElement.children) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", direction);
  }

  for (const table of document.querySelectorAll("table.sortable")) {
    for (const head of table.tHead.querySelectorAll("th")) {
      const button = head.querySelector("button");
      button.addEventListener("click", () => {
        const usual = head.dataset.first ? head.dataset.first : head.classList.contains("number") ? "descending" : "ascending";
        const now = head.getAttribute("aria-sort");
        const opposite = now === "ascending" ? "descending" : "ascending";
        sortBy(table, head, now ? opposite : usual);
      });
    }
  }

  // On paper, heads are repeated on every page, but buttons in them are not.
  window.addEventListener("beforeprint", () => {
    for (const button of document.querySelectorAll("th > button")) button.parentElement.dataset.head = button.textContent;
  });

  return { sortBy };
})();
