// Imports and requires every entry of the package in several runtimes and test runners, and prints a table.
// `one` means that import and require return the same class TwinbaseError.
// node scripts/check-modules.mjs
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inFolder, makeProject, packInto, ROOT, run as runIn } from "./packed.mjs";

const { exports } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
const entries = Object.keys(exports)
  .filter((path) => path !== "./package.json")
  .map((path) => `twinbase${path.slice(1)}`);

const NODES = ["20", "22", "24"];
const PACKAGES = [
  ...["jest@30", "ts-jest@29", "typescript@5", "@types/jest@30", "babel-jest@30", "@babel/core@7"],
  ...["@babel/preset-env@7", "vitest@4", "bun@1", "deno@2", "fast-check@4"],
];
await inFolder(check);

function check(folder) {
  makeProject(folder, [packInto(folder), ...PACKAGES]);
  for (const version of NODES) makeProject(join(folder, `node${version}`), [`node@${version}`]);
  writePrograms(folder);
  const bin = (name) => join(folder, "node_modules/.bin", name);
  const run = (program, ...args) => describe(folder, program, ...args);
  const nodeOf = (version) => join(folder, `node${version}/node_modules/.bin/node`);
  const runDeno = (program) => run(bin("deno"), "run", "--allow-all", "--quiet", program);
  const runJest = (node, name) =>
    describe(join(folder, name), node, join(folder, "node_modules/jest/bin/jest.js"));
  const nodes = NODES.map((version) => [`Node ${version}`, nodeOf(version)]);
  const rows = [
    ...nodes.map(([name, node]) => [name, run(node, "require.cjs"), run(node, "import.mjs")]),
    ["Bun", run(bin("bun"), "require.cjs"), run(bin("bun"), "import.mjs")],
    ["Deno", runDeno("require.cjs"), runDeno("import.mjs")],
    ...nodes.map(([name, node]) => [`ts-jest, ${name}`, runJest(node, "ts"), "as require"]),
    ...nodes.map(([name, node]) => [`babel-jest, ${name}`, runJest(node, "babel"), "as require"]),
    ["vitest", "–", run(process.execPath, bin("vitest"), "run", "--root", "vitest")],
  ];
  const faults = rows.flat().filter((cell) => cell.startsWith("✗"));
  for (const [name, required, imported] of [["", "require", "import"], ...rows]) {
    process.stdout.write(`${name.padEnd(22)}${required.padEnd(16)}${imported}\n`);
  }
  process.stdout.write(`${entries.length} entries each\n`);
  if (faults.length > 0) throw new Error(faults.join("\n"));
}

function writePrograms(folder) {
  const write = (name, text) => {
    mkdirSync(join(folder, name, ".."), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  const required = entries.map((entry) => `require("${entry}")`).join(", ");
  const imported = entries.map((entry, i) => `import * as entry${i} from "${entry}";\n`).join("");
  const list = entries.map((_, i) => `entry${i}`).join(", ");
  const look = `for (const entry of all) if (Object.keys(entry).length === 0) throw new Error("empty");`;
  const other = `.then((entry) => console.log(entry.TwinbaseError === TwinbaseError ? "one" : "two"));`;
  const body = `const { TwinbaseError } = all[0]; ${look}`;
  write("require.cjs", `const all = [${required}]; ${body} import("twinbase")${other}`);
  write(
    "import.mjs",
    `${imported}import { createRequire } from "node:module"; const all = [${list}]; ${body}
    Promise.resolve(createRequire(import.meta.url)("twinbase"))${other}`,
  );
  const test = `${imported}
test("works", async () => {
  for (const entry of [${list}]) expect(Object.keys(entry)).not.toEqual([]);
  const { fetch } = entry${entries.indexOf("twinbase/testing")}.createDouble({ schema: { teams: [] } });
  expect((await fetch("https://test.us-east-1.xata.sh/dbs/app")).status).toBe(200);
});
`;
  const compilerOptions = { strict: true, esModuleInterop: true, types: ["jest"] };
  write("ts/package.json", '{ "private": true, "jest": { "preset": "ts-jest" } }');
  write("ts/tsconfig.json", JSON.stringify({ compilerOptions }));
  write("ts/all.test.ts", test);
  write("babel/package.json", '{ "private": true }');
  write("babel/babel.config.js", 'module.exports = { presets: ["@babel/preset-env"] };');
  write("babel/all.test.js", test);
  write("vitest/all.test.js", `import { expect, test } from "vitest";\n${test}`);
}

/** Runs a program; returns `✓` and its verdict, or `✗` and the error. */
function describe(cwd, program, ...args) {
  try {
    const word = /\b(one|two)\s*$/.exec(runIn(cwd, program, ...args))?.[1];
    return word === undefined ? "✓" : `✓ ${word}`;
  } catch (error) {
    return `✗ ${error.message.slice(0, 800)}`;
  }
}
