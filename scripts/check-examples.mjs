// Runs the tests of the examples with the packed package: node scripts/check-examples.mjs [name ...]
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inFolder, install, packInto, ROOT, run } from "./packed.mjs";

const examples = join(ROOT, "examples");
const known = readdirSync(examples, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
const names = process.argv.length > 2 ? process.argv.slice(2) : known;
await inFolder((folder) => {
  const tarball = packInto(folder);
  for (const name of names) {
    const cwd = join(folder, name);
    const filter = (path) => !path.includes("node_modules");
    cpSync(join(examples, name), cwd, { recursive: true, filter });
    const file = join(cwd, "package.json");
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.replace('"twinbase": "*"', `"twinbase": "file:${tarball}"`));
    install(cwd);
    run(cwd, "npm", "test");
    console.log(`examples/${name} passes`);
  }
});
