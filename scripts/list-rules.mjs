// Prints the rules that no test speaks for: a test speaks for the rules that its title, or that
// of a describe block around it, begins with ("F-12: …", "F-12, F-18: …"). The titles come from
// vitest itself, so that tests made from tables of cases count and skipped ones do not.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { RULES } from "../dist/conformance.js";

const { requiredSections, httpOnly } = JSON.parse(
  readFileSync(new URL("rule-coverage.json", import.meta.url), "utf8"),
);
const rules = RULES.map(({ id }) => id);
const meaningByRule = new Map(RULES.map(({ id, meaning }) => [id, meaning]));
const testCountByRule = new Map();
const strangers = new Set();
for (const test of listTests()) {
  for (const rule of rulesOf(test.name)) {
    if (meaningByRule.has(rule)) testCountByRule.set(rule, (testCountByRule.get(rule) ?? 0) + 1);
    else strangers.add(`${rule} (${test.name})`);
  }
}

const untested = rules.filter((rule) => !testCountByRule.has(rule));
const excused = untested.filter((rule) => Object.hasOwn(httpOnly, rule));
const open = untested.filter((rule) => !Object.hasOwn(httpOnly, rule));
const missing = open.filter((rule) => requiredSections.includes(rule.split("-")[0]));
const later = open.filter((rule) => !missing.includes(rule));

console.log(`${rules.length - untested.length} of ${rules.length} rules have a test.`);
print("Without a test", missing.map(explain));
print("Without a test, in sections that may still wait", later.map(explain));
print(
  "Without a test, as only HTTP shows them",
  excused.map((rule) => `${rule}  ${httpOnly[rule]}`),
);
print("Test titles that begin with a number that is no rule", [...strangers]);
if (missing.length > 0 || strangers.size > 0) process.exitCode = 1;

/** Every test that would run, as vitest collects it: `{ name: "describe > title", file }`. */
function listTests() {
  const vitest = fileURLToPath(new URL("../node_modules/vitest/vitest.mjs", import.meta.url));
  const output = execFileSync(process.execPath, [vitest, "list", "--json"], {
    cwd: fileURLToPath(new URL("..", import.meta.url)),
    encoding: "utf8",
    maxBuffer: 256 * 1024 * 1024,
    stdio: ["ignore", "pipe", "inherit"],
  });
  return JSON.parse(output.slice(output.indexOf("[")));
}

function rulesOf(name) {
  return name.split(" > ").flatMap((title) => {
    const head = /^[A-Z]-\d+(?:,\s*[A-Z]-\d+)*(?=:)/.exec(title);
    return head === null ? [] : head[0].split(/,\s*/);
  });
}

function explain(rule) {
  return `${rule}  ${meaningByRule.get(rule)}`;
}

function print(heading, lines) {
  if (lines.length > 0) console.log(`\n${heading} (${lines.length}):\n  ${lines.join("\n  ")}`);
}
