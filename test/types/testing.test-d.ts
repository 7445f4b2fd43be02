import { createDouble } from "../../src/testing.js";
import { same } from "./fixture.js";

const tables = [
  {
    name: "teams",
    columns: [{ name: "name", type: "string" }],
    revLinks: [{ table: "users", column: "team" }],
  },
  {
    name: "users",
    columns: [
      { name: "email", type: "email", unique: true },
      { name: "team", type: "link", link: { table: "teams" } },
    ],
  },
] as const;

// The tables of a generated client.
const double = createDouble({ schema: tables, records: { users: [{ team: "blue" }] } });
const { users } = double.tables;
const [user] = users.query({ columns: ["team.name"], filter: { "team.name": "x" } }).records;
const name = user?.team?.name;
same<typeof name, string | undefined>();
const version = user?.xata.version;
same<typeof version, number | undefined>();
const fork = double.fork();
same<typeof fork, typeof double>();
// @ts-expect-error: no such column
users.query({ filter: { "team.nmae": "x" } });
// @ts-expect-error: no such column
createDouble({ schema: tables, records: { users: [{ emial: "x" }] } });

// Definitions of one's own, under another profile.
const own = createDouble({
  schema: { users: [{ name: "age", type: "int" }] },
  profile: "documented",
});
const ownVersion = own.tables.users.get("ada")?.service.version;
same<typeof ownVersion, number | undefined>();
// @ts-expect-error: there is no column type number
createDouble({ schema: { users: [{ name: "age", type: "number" }] } });
// @ts-expect-error: there is no column type number
createDouble({ schema: [{ name: "users", columns: [{ name: "age", type: "number" }] }] });

// The type of imported JSON.
interface Dump {
  formatVersion: string;
  tables: {
    name: string;
    columns: ({ name: string; type: string } | { name: string; type: string; link: object })[];
  }[];
}
declare const dump: Dump;
const untyped = createDouble({ schema: dump, records: { users: [{ anything: 1 }] } });
untyped.tables.users?.query({ filter: { anything: 1 } });
declare const ownJson: { users: { name: string; type: string }[] };
createDouble({ schema: ownJson }).tables.users.query({ filter: { anything: 1 } });

// Without a schema.
createDouble({ profile: { base: "xata", maxPageSize: 200 } })
  .branch.createTable("teams", [{ name: "name", type: "string" }])
  .insert({ name: "Blue" });
