import type { RecordOf, Selected } from "../../src/typed/record.js";
import type { AnyRecord, Json, RecordMetadata } from "../../src/types.js";
import { same, type Teams, teams, type Users, type untyped, users } from "./fixture.js";

// P-1, R-4: every column, those that may be null optional; of a link its id.
same<
  RecordOf<Users>,
  {
    id: string;
    email: string;
    name?: string;
    bio?: string;
    age?: number;
    rating: number;
    active?: boolean;
    born?: string;
    labels?: string[];
    settings?: Json;
    vector?: number[];
    photo?: { name: string; mediaType: string };
    papers?: { id: string; name: string; mediaType: string }[];
    team?: { id: string };
    country?: { id: string };
    address?: { street?: string; zip?: number; place?: { latitude?: number } };
    service: RecordMetadata;
  }
>();

// T-16: an object with a `notNull` sub-column is always there.
same<
  RecordOf<Teams>,
  {
    id: string;
    name: string;
    size?: number;
    labels?: string[];
    owner?: { id: string };
    office: { city: string; floor?: number; keeper?: { id: string } };
    service: RecordMetadata;
  }
>();

// P-2: `id`, the metadata and the selected columns; an empty array selects no columns.
const some = users.query({ columns: ["email", "age"] });
same<
  (typeof some.records)[number],
  { id: string; email: string; age?: number; service: RecordMetadata }
>();
const none = users.query({ columns: [] });
same<(typeof none.records)[number], { id: string; service: RecordMetadata }>();

// P-3, P-4: `*`, an object's name and `obj.*` select all sub-keys, `obj.sub` those named.
same<Selected<Users, "*">, RecordOf<Users>>();
same<
  Selected<Teams, "office" | "office.city">,
  {
    id: string;
    office: { city: string; floor?: number; keeper?: { id: string } };
    service: RecordMetadata;
  }
>();
same<Selected<Teams, "office.*">, Selected<Teams, "office">>();
same<
  Selected<Teams, "office.floor">,
  { id: string; office?: { floor?: number }; service: RecordMetadata }
>();
same<
  Selected<Users, "address.place.latitude" | "address.zip">,
  {
    id: string;
    address?: { zip?: number; place?: { latitude?: number } };
    service: RecordMetadata;
  }
>();
same<Selected<Users, "address.place.*">, Selected<Users, "address.place">>();

// P-5, P-7: a linked record may be one of which only the id is known.
same<
  Selected<Users, "team.name">,
  {
    id: string;
    team?: { id: string; name?: string; service?: RecordMetadata };
    service: RecordMetadata;
  }
>();
same<
  Selected<Users, "team.*">,
  {
    id: string;
    team?: {
      id: string;
      name?: string;
      size?: number;
      labels?: string[];
      owner?: { id: string };
      office?: { city?: string; floor?: number; keeper?: { id: string } };
      service?: RecordMetadata;
    };
    service: RecordMetadata;
  }
>();
same<
  Selected<Teams, "office.keeper.name">,
  {
    id: string;
    office?: { keeper?: { id: string; name?: string; service?: RecordMetadata } };
    service: RecordMetadata;
  }
>();

// P-6: beside `link.sub`, the bare name and `*` change nothing.
same<Selected<Users, "team">, { id: string; team?: { id: string }; service: RecordMetadata }>();
same<Selected<Users, "team" | "team.name">, Selected<Users, "team.name">>();
const starred = users.query({ columns: ["*", "team.name"] });
same<
  (typeof starred.records)[number]["team"],
  { id: string; name?: string; service?: RecordMetadata } | undefined
>();
same<(typeof starred.records)[number]["email"], string>();

// P-8: `id` and the metadata may be named; through a link they give both of the linked record.
same<Selected<Users, "id" | "service" | "service.version" | "service.*">, Selected<Users, never>>();
same<
  Selected<Users, "team.id">,
  { id: string; team?: { id: string; service?: RecordMetadata }; service: RecordMetadata }
>();
same<Selected<Users, "team.service.*">, Selected<Users, "team.id">>();

// P-9: unknown paths, and paths into scalars and into `json`, do not compile.
// @ts-expect-error
users.query({ columns: ["nope"] });
// @ts-expect-error
users.query({ columns: ["name.*"] });
// @ts-expect-error
users.query({ columns: ["settings.a"] });
// @ts-expect-error
users.query({ columns: ["settings->a"] });
// @ts-expect-error
users.query({ columns: ["address.nope"] });
// @ts-expect-error
users.query({ columns: ["address.id"] });
// @ts-expect-error
users.query({ columns: ["service.nope"] });
// @ts-expect-error
users.query({ columns: ["$any"] });
// @ts-expect-error
users.query({ columns: "email" });

// P-11: records that link to this one, under `as` or the name.
const reverse = teams.query({
  columns: [
    "name",
    { name: "<-users.team", as: "members", columns: ["email", "team.size"], limit: 5 },
    { name: "<-users.team" },
  ],
}).records[0]!;
same<
  (typeof reverse.members.records)[number],
  {
    id: string;
    email: string;
    team?: { id: string; size?: number; service?: RecordMetadata };
    service: RecordMetadata;
  }
>();
same<(typeof reverse)["<-users.team"]["records"][number], RecordOf<Users>>();
users.query({ columns: [{ name: "<-teams.office.keeper", as: "kept" }] }).records[0]!.kept.records;
// @ts-expect-error
teams.query({ columns: [{ name: "<-users.email" }] });
// @ts-expect-error
teams.query({ columns: [{ name: "<-users.country" }] });
// @ts-expect-error
teams.query({ columns: [{ name: "<-users.nope" }] });
// @ts-expect-error
teams.query({ columns: [{ name: "<-nope.team" }] });
// @ts-expect-error
teams.query({ columns: [{ name: "users.team" }] });
// @ts-expect-error
teams.query({ columns: [{ name: "<-users.team", columns: ["nope"] }] });

// T-17: behind a link to an unknown table columns are not checked.
same<
  Selected<Users, "country.name">,
  { id: string; country?: AnyRecord; service: RecordMetadata }
>();

// Every call that returns records has the types of its selection.
const gotAll = users.get("rec_1");
same<typeof gotAll, RecordOf<Users> | null>();
const got = users.get("rec_1", { columns: ["name"] });
same<typeof got, Selected<Users, "name"> | null>();
const inserted = users.insert({ email: "a@b.c" }, { columns: ["name"] });
same<typeof inserted, Selected<Users, "name">>();
const several = users.insert([{ email: "a@b.c" }]);
same<typeof several, RecordOf<Users>[]>();
const updated = users.update("rec_1", {}, { columns: ["team.name"], ifVersion: 1 });
same<typeof updated, Selected<Users, "team.name">>();
const replaced = users.replace("rec_1", { email: "a@b.c" }, { columns: [] });
same<typeof replaced, Selected<Users, never>>();
const upserted = users.upsert("rec_1", { email: "a@b.c" });
same<typeof upserted, RecordOf<Users>>();
const stored = users.put("rec_1", { email: "a@b.c" }, { createOnly: true, columns: ["age"] });
same<typeof stored, Selected<Users, "age">>();
const scanned = users.scan({ columns: ["address.zip"] });
same<typeof scanned, IterableIterator<Selected<Users, "address.zip">>>();
// @ts-expect-error
users.get("rec_1", { columns: ["nope"] });
// @ts-expect-error
users.scan({ columns: ["team.nope"] });

// G-4: a cursor carries the columns of its query, unless the next one names others (G-7).
let page = users.query({ columns: ["email"] });
page = users.query({ page: { after: page.meta.page.cursor } });
const next = users.query({ page: { after: page.meta.page.cursor, before: "end" } });
same<typeof next, typeof page>();
const renamed = users.query({ columns: ["age"], page: { start: page.meta.page.cursor } });
same<(typeof renamed.records)[number], Selected<Users, "age">>();
const text: string = page.meta.page.cursor;
const plain = users.query({ page: { after: text } });
same<(typeof plain.records)[number], RecordOf<Users>>();
// @ts-expect-error
users.query({ page: { after: 5 } });
// @ts-expect-error
users.query({ page: { first: 5 } });
// @ts-expect-error
users.query({ pages: {} });

// Without a schema, records are untyped.
same<ReturnType<typeof untyped.get>, AnyRecord | null>();
