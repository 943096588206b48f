// Runs the page's script on a flame graph without a browser: click.js SCRIPT GRAPH, which is [[name, x, width, y], ...].
// Prints, after a click on each block and after one on "back", [x, width] of those that are shown, by index.
const { readFileSync } = require("node:fs");
const element = (attributes) => ({
  attributes, style: {}, textContent: "", clicked: null,
  getAttribute(name) { return this.attributes[name]; },
  setAttribute(name, value) { this.attributes[name] = value; },
  addEventListener(_, listener) { this.clicked = listener; },
});
const blocks = JSON.parse(readFileSync(process.argv[3])).map(([name, x, w, y]) => {
  const parts = { rect: element({ x, y, width: w }), text: element({ x }) };
  return { ...element({}), dataset: { n: name, x, w }, classList: { toggle() {} }, querySelector: (part) => parts[part] };
});
const back = element({});
const flame = { querySelectorAll: () => blocks, viewBox: { baseVal: { width: 1200 } } };
global.document = { getElementById: (id) => ({ flame, back, theme: element({}) })[id] };
(0, eval)(readFileSync(process.argv[2], "utf8"));
const shown = () => Object.fromEntries(blocks.flatMap((block, n) => {
  const { x, width } = block.querySelector("rect").attributes;
  return block.style.display === "none" ? [] : [[n, [x, width]]];
}));
console.log(JSON.stringify([...blocks, back].map((target) => (target.clicked(), shown()))));
