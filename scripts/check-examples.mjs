// Runs the examples as somebody would who copies them: in a folder of their own, with the package as npm
// packs it. Runs on the built package: node scripts/check-examples.mjs [name ...]
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const examples = join(root, "examples");
const known = readdirSync(examples, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
const names = process.argv.length > 2 ? process.argv.slice(2) : known;
const folder = mkdtempSync(join(tmpdir(), "twinbase-examples-"));
try {
  const packed = execFileSync("npm", ["pack", "--json", "--pack-destination", folder], {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  const tarball = join(folder, JSON.parse(packed)[0].filename);
  for (const name of names) {
    check(name, tarball);
    process.stdout.write(`examples/${name} passes\n`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function check(name, tarball) {
  const cwd = join(folder, name);
  cpSync(join(examples, name), cwd, {
    recursive: true,
    filter: (path) => !path.includes("node_modules"),
  });
  const file = join(cwd, "package.json");
  writeFileSync(
    file,
    readFileSync(file, "utf8").replace('"twinbase": "*"', `"twinbase": "file:${tarball}"`),
  );
  const quiet = ["--no-audit", "--no-fund", "--loglevel=error", "--prefer-offline"];
  run("npm", ["install", ...quiet], cwd);
  run("npm", ["test"], cwd);
}

/** Runs a program quietly; what it said is shown where it fails. */
function run(program, args, cwd) {
  try {
    execFileSync(program, args, { cwd, stdio: ["ignore", "pipe", "pipe"], encoding: "utf8" });
  } catch (error) {
    process.stderr.write(`${cwd}: ${program} ${args.join(" ")}\n${error.stdout}${error.stderr}\n`);
    throw new Error(`${program} ${args.join(" ")} failed`);
  }
}
