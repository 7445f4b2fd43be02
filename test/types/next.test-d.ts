import { createEngine } from "../../src/index.js";
import { searchTable } from "../../src/search.js";
import type { RecordOf } from "../../src/typed/record.js";
import type { ProfileShapeOf, XataNextProfile } from "../../src/typed/shape.js";
import type { ShapeOf } from "../../src/typed/table.js";
import { same } from "./fixture.js";

const database = createEngine({ profile: "xata-next" }).createWorkspace("w").createDatabase("d");
const { users } = database.branch("main").createTables({
  teams: [{ name: "name", type: "string", notNull: true }],
  users: [
    { name: "age", type: "int" },
    { name: "settings", type: "json" },
    { name: "team", type: "link", link: { table: "teams" } },
  ],
});
type Users = ShapeOf<typeof users>;

interface Metadata {
  xata_version: number;
  xata_createdat: string;
  xata_updatedat: string;
}
type Whole<T> = { [K in keyof T]: T[K] };

same<Users["profile"], XataNextProfile>();
same<
  ProfileShapeOf<{ base: "xata-next"; maxPageSize: 5 }>,
  ProfileShapeOf<{ base: "xata-next" }>
>();

// R-1, N-3: records have `xata_id` and flat metadata; the rest is as under `xata` (T-11, P-6).
same<
  RecordOf<Users>,
  Whole<{ xata_id: string; age?: number; settings?: string; team?: { xata_id: string } } & Metadata>
>();
const { records } = users.query({ columns: ["age", "team"] });
same<
  (typeof records)[number],
  Whole<
    {
      xata_id: string;
      age?: number;
      team?: Whole<{ xata_id: string; name?: string } & Partial<Metadata>>;
    } & Metadata
  >
>();
const found = searchTable(users, { query: "a" }).records[0]!;
same<typeof found.xata_score, number>();
same<typeof found.xata_table, string>();

// Metadata can be selected, filtered and sorted by, also through links.
users.query({
  columns: ["xata_version", "team.xata_updatedat"],
  filter: { xata_id: { $startsWith: "a" }, xata_version: { $gt: 1 }, team: { xata_id: "blue" } },
  sort: [{ xata_createdat: "desc" }, "team.xata_id"],
});
users.count({ "team.xata_createdat": { $lt: new Date(0) }, team: { $is: { xata_id: "blue" } } });
users.summarize({ columns: ["team.xata_id"], summaries: { n: { count: "*" } } });
// @ts-expect-error
users.count({ id: "ada" });
// @ts-expect-error
users.count({ "xata.version": 1 });
// @ts-expect-error
users.count({ xata_version: "1" });
// @ts-expect-error
users.query({ sort: { id: "asc" } });
// @ts-expect-error
users.query({ columns: ["xata.createdAt"] });
// summaries are not of metadata.
// @ts-expect-error
users.summarize({ summaries: { n: { max: "xata_version" } } });

// Writes take the id, ignore metadata, and link by `xata_id` (R-8, T-9).
users.insert({ xata_id: "ada", xata_version: 1, age: 36, team: { xata_id: "blue" } });
users.update("ada", { age: 37, team: "blue" });
// @ts-expect-error
users.insert({ id: "ada" });
// @ts-expect-error
users.insert({ xata_id: 5 });
// @ts-expect-error
users.update("ada", { team: { id: "blue" } });
