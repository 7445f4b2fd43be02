import type { AnyRecord, RecordMetadata, ShapeOf } from "../../src/index.js";
import { createEngine } from "../../src/index.js";
import {
  type FoundRecord,
  type Highlight,
  type SearchMetadata,
  searchBranch,
  searchTable,
  type TableSearchOf,
  vectorSearch,
} from "../../src/search.js";
import { same } from "./fixture.js";

const main = createEngine().createWorkspace("acme").createDatabase("shop").branch("main");
const { posts } = main.createTables({
  posts: [
    { name: "title", type: "string", notNull: true },
    { name: "body", type: "text" },
    { name: "labels", type: "multiple" },
    { name: "views", type: "int" },
    { name: "sent", type: "datetime" },
    { name: "meaning", type: "vector", vector: { dimension: 2 } },
    { name: "place", type: "object", columns: [{ name: "city", type: "string" }] },
    { name: "author", type: "link", link: { table: "people" } },
  ],
  people: [{ name: "name", type: "string" }],
});

const answer = searchTable(posts, {
  query: "red",
  fuzziness: 2,
  prefix: "disabled",
  target: ["title", { column: "place.city", weight: 3 }, "place"],
  filter: { views: { $gt: 1 }, "author.name": "Ann", "place.city": { $contains: "x" } },
  boosters: [
    { numericBooster: { column: "views", factor: 2, modifier: "log1p" } },
    { dateBooster: { column: "sent", scale: "10d", decay: 0.5, ifMatchesFilter: { views: 1 } } },
    { valueBooster: { column: "author.name", value: "Ann", factor: 2 } },
  ],
  highlight: { enabled: true, encodeHTML: false },
  page: { size: 10, offset: 1 },
});
const [first] = answer.records;
if (first !== undefined) {
  same<typeof first.title, string>();
  same<typeof first.views, number | undefined>();
  same<typeof first.service, RecordMetadata & SearchMetadata>();
  same<typeof first.service.highlight, Highlight | undefined>();
}
same<typeof answer.totalCount, number>();

// @ts-expect-error: no column of that name
searchTable(posts, { query: "red", target: ["titel"] });
// @ts-expect-error: a number has no words
searchTable(posts, { query: "red", target: ["views"] });
// @ts-expect-error: links are not followed
searchTable(posts, { query: "red", target: ["author.name"] });
// @ts-expect-error: F-16
searchTable(posts, { query: "red", filter: { views: "x" } });
// @ts-expect-error: Q-3
searchTable(posts, { query: "red", fuzziness: 3 });
const numeric = { column: "title", factor: 1 } as const;
// @ts-expect-error: no number
searchTable(posts, { query: "red", boosters: [{ numericBooster: numeric }] });
// @ts-expect-error: no key of that name
searchTable(posts, { query: "red", sort: { title: "asc" } });

const declared = { query: "red", target: ["title"] } satisfies TableSearchOf<ShapeOf<typeof posts>>;
searchTable(posts, declared);

const near = vectorSearch(posts, { column: "meaning", queryVector: [1, 2], size: 3 });
same<(typeof near.records)[number], FoundRecord<ShapeOf<typeof posts>>>();
// @ts-expect-error: no vector
vectorSearch(posts, { column: "title", queryVector: [1, 2] });
// @ts-expect-error: V-2
vectorSearch(posts, { column: "meaning", queryVector: [1, 2], similarityFunction: "dot" });

const anywhere = searchBranch(main, {
  query: "red",
  tables: ["people", { table: "posts", target: ["title"], filter: { views: 1 } }],
});
same<(typeof anywhere.records)[number], AnyRecord>();
// @ts-expect-error: Q-2
searchBranch(main, {});

const untyped = main.table("posts");
const found = searchTable(untyped, { query: "red", target: ["whatever"], filter: { any: 1 } });
same<(typeof found.records)[number], AnyRecord>();
vectorSearch(untyped, { column: "whatever", queryVector: [1] });
