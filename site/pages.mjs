// Copies the pages of the repository to the folder that the site is built from: node pages.mjs
import { cpSync, rmSync } from "node:fs";

const root = new URL("../", import.meta.url);
const pages = new URL("pages/", import.meta.url);
rmSync(pages, { recursive: true, force: true });
for (const name of ["ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"]) {
  cpSync(new URL(name, root), new URL(name, pages));
}
cpSync(new URL("README.md", root), new URL("index.md", pages));
cpSync(new URL("examples/README.md", root), new URL("examples/README.md", pages));
cpSync(new URL("docs/", root), new URL("docs/", pages), { recursive: true });
cpSync(new URL("bench/results/", root), new URL("bench/results/", pages), { recursive: true });
