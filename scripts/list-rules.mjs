// Prints the rules without a test. A test covers the rules that its title, or the title of a describe block
// around it, begins with ("F-12: …", "F-12, F-18: …"). vitest lists the titles, including those generated from
// tables of cases; skipped tests don't count.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { RULES } from "../dist/conformance.js";

const vitest = fileURLToPath(new URL("../node_modules/vitest/vitest.mjs", import.meta.url));
const output = execFileSync(process.execPath, [vitest, "list", "--json"], {
  cwd: fileURLToPath(new URL("..", import.meta.url)),
  encoding: "utf8",
  maxBuffer: 256 * 1024 * 1024,
  stdio: ["ignore", "pipe", "inherit"],
});
const known = new Set(RULES.map(({ id }) => id));
const tested = new Set();
const unknown = new Set();
for (const { name } of JSON.parse(output.slice(output.indexOf("[")))) {
  for (const title of name.split(" > ")) {
    const [head = ""] = /^[A-Z]-\d+(?:,\s*[A-Z]-\d+)*(?=:)/.exec(title) ?? [];
    for (const rule of head.match(/[A-Z]-\d+/g) ?? []) {
      if (known.has(rule)) tested.add(rule);
      else unknown.add(`${rule} (${name})`);
    }
  }
}
const missing = RULES.filter(({ id }) => !tested.has(id));
console.log(`${tested.size} of ${known.size} rules have a test.`);
print(
  "Without a test",
  missing.map(({ id, meaning }) => `${id}  ${meaning}`),
);
print("Test titles with a number that no rule has", [...unknown]);
if (missing.length + unknown.size > 0) process.exitCode = 1;

function print(heading, lines) {
  if (lines.length > 0) console.log(`\n${heading} (${lines.length}):\n  ${lines.join("\n  ")}`);
}
