import type { FileDetails } from "../../src/files.js";
import type { FileValue, RecordMetadata } from "../../src/index.js";
import type { FilterOf } from "../../src/typed/filter.js";
import type { ColumnsOf } from "../../src/typed/selection.js";
import type { SortOf } from "../../src/typed/sort.js";
import { same, type Teams, teams, type Users, users } from "./fixture.js";

type Shown = Omit<FileDetails, "id">;

// H-2: named members; the column's name selects all but three. A single file has no id.
const [one] = users.query({ columns: ["photo.name", "photo.signedUrl", "papers.id"] }).records;
same<
  NonNullable<typeof one>,
  {
    id: string;
    photo?: { name: string; signedUrl: string };
    papers?: { id: string }[];
    service: RecordMetadata;
  }
>();
const bare = users.get("a", { columns: ["photo", "papers.*"] });
bare?.photo satisfies Shown | undefined;
bare?.papers?.[0] satisfies (Shown & { id: string }) | undefined;
same<keyof NonNullable<NonNullable<typeof bare>["photo"]>, keyof Shown>();
const both = users.get("a", { columns: ["*", "photo.base64Content"] });
same<
  NonNullable<typeof both>["photo"],
  { name: string; mediaType: string; base64Content: string } | undefined
>();
const linked = teams.get("a", { columns: ["owner.photo.uploadUrl", "office.keeper.papers.*"] });
same<
  NonNullable<NonNullable<typeof linked>["owner"]>["photo"],
  { uploadUrl: string } | undefined
>();
linked?.office?.keeper?.papers?.[0]?.size.toFixed();
// @ts-expect-error
users.query({ columns: ["photo.nope"] });
// @ts-expect-error
users.query({ columns: ["photo.name.length"] });
// @ts-expect-error
teams.query({ columns: ["owner.photo.nope"] });
// @ts-expect-error
one?.photo?.size;

// F-18: members of a single file with a type can be filtered and sorted by, dotted only.
users.count({ "photo.enablePublicUrl": true, "photo.signedUrlTimeout": { $le: 60 } });
users.query({ sort: { "photo.uploadUrlTimeout": "desc" } });
users.count({ "photo.name": { $startsWith: "a" }, "photo.size": { $gt: 5 }, "photo.version": 1 });
users.count({ $exists: ["photo", "photo.mediaType"], $not: { "photo.mediaType": "a/b" } });
teams.count({ "owner.photo.size": { $lt: 5 }, owner: { "photo.name": "a" } });
users.query({ sort: [{ "photo.size": "desc" }, "photo.name"] });
teams.query({ sort: { "owner.photo.version": "asc" } });
// @ts-expect-error
users.count({ "photo.enablePublicUrl": 1 });
// @ts-expect-error
users.count({ "photo.size": "5" });
// @ts-expect-error
users.count({ "photo.size": { $contains: "5" } });
// @ts-expect-error
users.count({ "photo.url": "http://a" });
// @ts-expect-error
users.count({ "papers.name": "a" });
// @ts-expect-error
users.count({ photo: { name: "a" } });
// @ts-expect-error
teams.count({ "owner.photo.size": true });
// @ts-expect-error
users.query({ sort: { "photo.url": "asc" } });
// @ts-expect-error
users.query({ sort: ["papers.name"] });
// @ts-expect-error
users.query({ sort: "photo" });

// Declared apart from a call.
const filter: FilterOf<Users> = { "photo.name": "a", $exists: "photo.size" };
const sort: SortOf<Users> = [{ "photo.size": "asc" }];
users.query({ filter, sort, columns: ["photo.url"] });
["owner.photo.url", "owner.papers.*"] satisfies ColumnsOf<Teams>[];
// @ts-expect-error
["photo.nope"] satisfies ColumnsOf<Users>[];

// groups and aggregates.
const groups = users.summarize({
  columns: ["photo.mediaType"],
  summaries: { bytes: { sum: "photo.size" }, first: { min: "photo.name" } },
});
same<
  (typeof groups.summaries)[number],
  { photo: { mediaType: string | null }; bytes: number | null; first: string | null }
>();
const { aggs } = users.aggregate({
  aggs: {
    kinds: { topValues: { column: "photo.mediaType" } },
    most: { max: { column: "photo.size" } },
  },
});
same<(typeof aggs)["kinds"]["values"], { $key: string; $count: number }[]>();
// @ts-expect-error
users.summarize({ summaries: { bytes: { sum: "photo.name" } } });

// H-1: values to write, among them a returned value.
const given: FileValue = { name: "a", base64Content: "", enablePublicUrl: true, size: 5 };
users.insert({ email: "a@b.c", photo: given, papers: [{ id: "a" }, given] });
if (bare?.photo && bare.papers) users.update("a", { photo: bare.photo, papers: bare.papers });
// @ts-expect-error
users.update("a", { photo: { nme: "a" } });
// @ts-expect-error
users.update("a", { "photo.name": "a" });
// @ts-expect-error
users.update("a", { photo: { name: 5 } });
