// Copies the pages of the repository to the folder that the site is built from, lists them in llms.txt,
// and builds the playground: node pages.mjs

import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { buildPlayground } from "../scripts/build-playground.mjs";

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

const docs = readdirSync(new URL("docs/", root)).filter((name) => name.endsWith(".md"));
const lines = docs.map((name) => {
  const text = readFileSync(new URL(`docs/${name}`, root), "utf8");
  const [, title = name] = /^# (.*)$/m.exec(text) ?? [];
  const first = text.split(/\n\n+/).find((part) => /^[A-Z`[]/.test(part)) ?? "";
  const sentence = first.replaceAll("\n", " ").split(/(?<=\.) /)[0];
  return `- [${title}](/docs/${name.replace(/\.md$/, "")}): ${plain(sentence)}`;
});
const [, about = ""] = readFileSync(new URL("README.md", root), "utf8").split(/\n\n+/);
mkdirSync(new URL("public/", pages), { recursive: true });
writeFileSync(
  new URL("public/llms.txt", pages),
  `# Twinbase\n\n> ${plain(about.replaceAll("\n", " "))}\n\n## Docs\n\n${lines.join("\n")}\n`,
);

await buildPlayground(fileURLToPath(new URL("public/playground/", pages)));

/** Markdown without its links. */
function plain(text) {
  return text.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1");
}
