// Runs the tests that `twinbase init` writes, for each test runner: node scripts/check-init.mjs
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { inFolder, makeProject, packInto, run } from "./packed.mjs";

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

await inFolder((folder) => {
  const tarball = packInto(folder);
  for (const [name, { packages, command, config }] of Object.entries(PROJECTS)) {
    const cwd = join(folder, name);
    makeProject(cwd, [tarball, ...packages]);
    if (config !== undefined) {
      writeFileSync(join(cwd, "tsconfig.json"), JSON.stringify({ compilerOptions: config }));
    }
    const [program, ...args] = command;
    const bin = join(cwd, "node_modules/.bin");
    run(cwd, join(bin, "twinbase"), "init");
    run(cwd, program === "node" ? process.execPath : join(bin, program), ...args);
    console.log(`twinbase init passes with ${name}`);
  }
});
