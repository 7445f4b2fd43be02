// Runs what `twinbase init` writes, in projects of each kind, with the package as npm packs it.
// Runs on the built package: node scripts/check-init.mjs
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const CLIENT = "@xata.io/client@0.30.1";
const TYPES = { strict: true, module: "nodenext", esModuleInterop: true, types: ["jest"] };
const PROJECTS = {
  vitest: { packages: ["vitest@4", CLIENT], command: ["vitest", "run"], config: { strict: true } },
  jest: { packages: ["jest@30", CLIENT], command: ["jest"] },
  "ts-jest": {
    packages: ["jest@30", "ts-jest@29", "typescript@5", "@types/jest@30", CLIENT],
    command: ["jest", "--preset", "ts-jest"],
    config: { ...TYPES, module: "commonjs" },
  },
  "node-test": { packages: [], command: ["node", "--test", "test/double.test.mjs"] },
};

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "twinbase-init-"));
try {
  const options = { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] };
  const packed = execFileSync("npm", ["pack", "--json", "--pack-destination", folder], options);
  const tarball = join(folder, JSON.parse(packed)[0].filename);
  for (const [name, project] of Object.entries(PROJECTS)) {
    check(join(folder, name), tarball, project);
    process.stdout.write(`twinbase init passes with ${name}\n`);
  }
} finally {
  rmSync(folder, { recursive: true });
}

function check(cwd, tarball, { packages, command: [program, ...args], config }) {
  mkdirSync(cwd);
  writeFileSync(join(cwd, "package.json"), '{"private":true}');
  if (config !== undefined) {
    writeFileSync(join(cwd, "tsconfig.json"), JSON.stringify({ compilerOptions: config }));
  }
  const quiet = ["--no-audit", "--no-fund", "--loglevel=error", "--prefer-offline"];
  execFileSync("npm", ["install", "--save-dev", ...quiet, tarball, ...packages], { cwd });
  const bin = join(cwd, "node_modules/.bin");
  execFileSync(join(bin, "twinbase"), ["init"], { cwd, stdio: ["ignore", "ignore", "inherit"] });
  const path = program === "node" ? process.execPath : join(bin, program);
  execFileSync(path, args, { cwd, stdio: ["ignore", "ignore", "pipe"] });
}
