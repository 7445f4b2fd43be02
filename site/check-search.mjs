// Checks that common words lead to the right guide, in the index of the built site: node check-search.mjs
import { readdirSync } from "node:fs";
import MiniSearch from "minisearch";
import config from "./.vitepress/config.mjs";

/** Expected pages: one of them must be among the first three results. */
const EXPECTED = {
  pagination: ["pagination"],
  retry: ["retries"],
  mock: ["testing", "generated-client"],
  fixtures: ["testing"],
  codegen: ["generated-client"],
  docker: ["docker-and-ci"],
  windows: ["windows"],
  upload: ["files"],
  vector: ["search"],
  "filter by date": ["query-language"],
  reset: ["testing", "control", "which-tool"],
  snapshot: ["embed", "which-tool", "testing"],
  "fake timers": ["fake-timers"],
  latency: ["retries"],
  cursor: ["pagination"],
  null: ["query-language", "embed"],
  unique: ["embed", "rules", "reference"],
  relation: ["query-language"],
  permissions: ["accounts"],
  performance: ["figures"],
  msw: ["testing", "runners"],
  "concurrent tests": ["runners", "testing"],
  transaction: ["reference", "rules", "postgres"],
  encoding: ["file-formats"],
  "duplicate id": ["file-formats"],
  heap: ["file-formats"],
  ECONNRESET: ["retries"],
  increment: ["reference", "rules"],
  regex: ["query-language"],
  cascade: ["testing", "rules", "reference"],
  like: ["query-language"],
  "group by": ["query-language"],
  "types of columns": ["file-formats"],
  "json list": ["query-language"],
};

const chunks = new URL("dist/assets/chunks/", import.meta.url);
const name = readdirSync(chunks).find((file) => file.startsWith("@localSearchIndexroot"));
if (name === undefined) throw new Error("build the site first");
const { default: json } = await import(new URL(name, chunks));
const { options, searchOptions } = config.themeConfig.search.options.miniSearch ?? {};
// As the search box of VitePress loads it.
const index = MiniSearch.loadJSON(json, {
  fields: ["title", "titles", "text"],
  storeFields: ["title", "titles"],
  searchOptions: {
    fuzzy: 0.2,
    prefix: true,
    boost: { title: 4, text: 2, titles: 1 },
    ...searchOptions,
  },
  ...options,
});

let missed = 0;
for (const [words, pages] of Object.entries(EXPECTED)) {
  const found = index
    .search(words)
    .slice(0, 3)
    .map(({ id }) => id);
  const isFound = found.some((id) => pages.some((page) => id.split("#")[0] === `/docs/${page}`));
  if (!isFound) missed++;
  console.log(`${isFound ? "ok  " : "MISS"} ${words}: ${found.join(", ")}`);
}
console.log(`${missed} of ${Object.keys(EXPECTED).length} words lead elsewhere`);
process.exitCode = missed === 0 ? 0 : 1;
