"use strict";
// Tables with class "sortable": each heading becomes a button that sorts the rows by its column. Cells sort by their
// attribute data-sort, numbers as numbers; cells without one come last, both ways. Equal rows keep their order.
for (const table of document.querySelectorAll("table.sortable")) {
  const headings = [...table.tHead.rows[0].cells];
  headings.forEach((heading, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...heading.childNodes);
    button.addEventListener("click", () => sort(table, headings, column));
    heading.append(button);
  });
}

function sort(table, headings, column) {
  const heading = headings[column];
  const numeric = heading.classList.contains("n");
  const before = heading.getAttribute("aria-sort");
  const order = before ? (before === "descending" ? "ascending" : "descending") : numeric ? "descending" : "ascending";
  const sign = order === "ascending" ? 1 : -1;
  const body = table.tBodies[0];
  const keyed = [...body.rows].map((row) => [row, row.cells[column].dataset.sort]);
  keyed.sort(([, a], [, b]) => {
    if (a === undefined || b === undefined) return (a === undefined) - (b === undefined);
    return sign * (numeric ? a - b : a.localeCompare(b, "en", { numeric: true }));
  });
  body.append(...keyed.map(([row]) => row));
  headings.forEach((other) => other.removeAttribute("aria-sort"));
  heading.setAttribute("aria-sort", order);
}
