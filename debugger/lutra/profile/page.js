"use strict";
// Light or dark: as the system is, until the button is used.
document.getElementById("theme").addEventListener("click", () => {
  const root = document.documentElement, system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  root.style.colorScheme = (root.style.colorScheme || system) === "dark" ? "light" : "dark";
});
// The flame graph: a click shows a frame in full width, with those that called it above.
const flame = document.getElementById("flame"), back = document.getElementById("back"), width = flame.viewBox.baseVal.width;
const blocks = [...flame.querySelectorAll("g")];
function zoom(to) {
  const left = +to.dataset.x, scale = width / +to.dataset.w, row = +to.querySelector("rect").getAttribute("y");
  for (const g of blocks) {
    const rect = g.querySelector("rect"), text = g.querySelector("text");
    const above = +rect.getAttribute("y") < row, end = +g.dataset.x + +g.dataset.w;
    let x = (+g.dataset.x - left) * scale, w = +g.dataset.w * scale;
    const within = +g.dataset.x >= left - 0.01 && end <= left + +to.dataset.w + 0.01;
    const around = above && +g.dataset.x <= left + 0.01 && end >= left + +to.dataset.w - 0.01;
    if (around && !within) { x = 0; w = width; }
    g.style.display = within || around ? "" : "none";
    g.classList.toggle("dim", around && !within);
    rect.setAttribute("x", x);
    rect.setAttribute("width", Math.max(w - 0.6, 0.2));
    text.setAttribute("x", x + 3);
    const letters = Math.floor((w - 6) / LETTER), name = g.dataset.n;
    text.textContent = name.length <= letters ? name : letters > 2 ? name.slice(0, letters - 1) + "…" : "";
  }
  back.style.visibility = to === blocks[0] ? "hidden" : "visible";
}
for (const g of blocks) g.addEventListener("click", () => zoom(g));
back.addEventListener("click", () => zoom(blocks[0]));
