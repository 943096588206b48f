// What a user does in VS Code, step by step, in headless Chromium; one screenshot per step that shows something.
//
//   node drive.mjs CHROMIUM URL FOLDER     writes FOLDER/*.png and FOLDER/report.json, or fails with the step's name
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import puppeteer from "puppeteer-core";

const [chromium, url, folder] = process.argv.slice(2);
const SECONDS = Number(process.env.LUTRA_EDITOR_SECONDS ?? 120);
const OPTIONS = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync", "--lang=en-US", "--font-render-hinting=none",
];

const browser = await puppeteer.launch({
  executablePath: chromium,
  args: OPTIONS,
  defaultViewport: { width: 1280, height: 800, deviceScaleFactor: 1 },
});
const page = await browser.newPage();
page.setDefaultTimeout(SECONDS * 1000);
const shown = {};

// The editor writes spaces as U+00A0.
const clean = (text) => text.replaceAll("\u00a0", " ");
const texts = (selector) => page.$$eval(selector, (all) => all.map((one) => one.textContent ?? ""));

async function until(what, condition) {
  const end = Date.now() + SECONDS * 1000;
  for (;;) {
    const found = await condition();
    if (found) return found;
    if (Date.now() > end) throw new Error(`no ${what} within ${SECONDS} s`);
    await new Promise((wake) => setTimeout(wake, 200));
  }
}

const line = (selector, pattern) =>
  until(`${pattern} in ${selector}`, async () => (await texts(selector)).map(clean).find((text) => pattern.test(text)));
const picture = async (name) => {
  await new Promise((wake) => setTimeout(wake, 1000)); // fonts, hover effects
  await page.screenshot({ path: join(folder, `${name}.png`) });
};

async function press(...keys) {
  for (const key of keys.slice(0, -1)) await page.keyboard.down(key);
  await page.keyboard.press(keys.at(-1));
  for (const key of keys.slice(0, -1).reverse()) await page.keyboard.up(key);
}

// Types into the box that `open` brings up, and takes the first answer.
async function ask(open, text, answer) {
  await open();
  await page.waitForSelector(".quick-input-widget:not([style*='display: none']) input", { visible: true });
  await page.keyboard.type(text);
  if (answer) await line(".quick-input-widget .monaco-list-row", answer);
  await page.keyboard.press("Enter");
}
const command = (name) => ask(() => press("F1"), name, new RegExp(name.replace(/^.*: /, "")));
const open = async (file) => {
  await ask(() => press("Control", "p"), file, new RegExp(file));
  await line(".tab.active", new RegExp(file));
  await line(".editor-instance .view-line", /\S/);
};
const goTo = (place) => ask(() => press("Control", "g"), place);
const consoleSays = (pattern) => line(".repl .monaco-list-row", pattern);
const stackSays = (pattern) => line(".debug-call-stack .monaco-list-row", pattern);

async function inConsole(text) {
  await command("Debug Console: Focus on Debug Console View");
  await page.waitForSelector(".repl-input-wrapper .monaco-editor.focused");
  await page.keyboard.type(text);
  await page.keyboard.press("Escape"); // the list of completions
  await page.keyboard.press("Enter");
}

const steps = {
  async server() {
    await page.goto(url, { waitUntil: "domcontentloaded" });
    await page.waitForSelector(".monaco-workbench .explorer-folders-view");
    await open("first.s");
    // An inlay hint is what the language server alone can know: the cycle of an instruction.
    shown.server = await line(".editor-instance .view-line", /repeat.*4, done/);
    await until("inlay hints", async () => (await page.$$("[class*='dyn-rule']")).length > 0);
  },
  async hover() {
    await goTo("8:10");
    await press("Control", "k");
    await press("Control", "i");
    shown.hover = await line(".monaco-hover:not(.hidden)", /Exclusive or/);
    await picture("hover");
    await press("Escape");
  },
  async breakpoint() {
    await goTo("8:1");
    await press("F9");
    await page.waitForSelector(".codicon-debug-breakpoint");
    await command("Lutra: Debug this file");
    shown.entry = await stackSays(/first\.s/);
    await press("F5");
    await page.waitForSelector(".codicon-debug-stackframe, .codicon-debug-breakpoint-stackframe");
    await until("stop in line 8", async () => (await texts(".debug-call-stack .monaco-list-row")).some((t) => /first\.s\D*8/.test(t)));
    await picture("breakpoint");
  },
  async "step back"() {
    await page.click(".debug-toolbar .codicon-debug-step-back");
    shown["step back"] = await stackSays(/first\.s\D*7/);
    await picture("step-back");
  },
  async "last writer"() {
    await inConsole("last v0");
    shown["last writer"] = await consoleSays(/first\.s:6/);
    await picture("last-writer");
    await press("Shift", "F5");
    await until("end of the session", async () => (await page.$$(".debug-toolbar:not([style*='display: none'])")).length === 0);
  },
  async rename() {
    await open("first.s");
    await goTo("6:26");
    await press("F2");
    await page.waitForSelector(".rename-box input:focus"); // the old name is selected
    await page.keyboard.type("secret");
    await picture("rename");
    await page.keyboard.press("Enter");
    shown.rename = await line(".editor-instance .view-line", /^secret:/);
    await press("Control", "s");
  },
  async "known answer"() {
    await ask(() => press("F1"), "Debug: Select and Start Debugging", /Select and Start Debugging/);
    await line(".quick-input-widget .monaco-list-row", /Known answer of SM4/);
    await page.keyboard.type("Known answer of SM4");
    await page.keyboard.press("Enter");
    shown["known answer"] = await stackSays(/schedule\.inc/);
    await picture("known-answer");
  },
};

let doing = "start";
try {
  for (const [name, step] of Object.entries(steps)) {
    doing = name;
    await step();
    console.log(name);
  }
  writeFileSync(join(folder, "report.json"), JSON.stringify(shown, null, 1));
} catch (error) {
  await page.screenshot({ path: join(folder, "failed.png") }).catch(() => {});
  console.error(`${doing}: ${error.message}; see failed.png`);
  process.exitCode = 1;
} finally {
  await browser.close();
}
