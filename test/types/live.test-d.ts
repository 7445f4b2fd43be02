import { type LiveQuery, liveCount, liveEvents, liveQuery } from "../../src/live.js";
import type { AnyRecord } from "../../src/types.js";
import { same, untyped, users } from "./fixture.js";

const query = { columns: ["email", "team.name"], filter: { age: { $ge: 18 } } } as const;

// Records have the type of those of `query`, in changes too.
const live = liveQuery(users, query, (changes) => {
  for (const { type, record, oldIndex } of changes) {
    same<typeof type, "added" | "modified" | "removed">();
    same<typeof oldIndex, number>();
    same<typeof record.email, string>();
    // @ts-expect-error: not selected
    record.name;
  }
});
const { records } = users.query(query);
same<(typeof live.records)[number], (typeof records)[number]>();
const whole = liveQuery(users);
same<(typeof whole.records)[number], NonNullable<ReturnType<typeof users.get>>>();
liveEvents(live);
// @ts-expect-error: the page cannot be written
whole.records.push();

const loose: LiveQuery = liveQuery(untyped, { filter: { anything: 1 } });
same<(typeof loose.records)[number], AnyRecord>();

// @ts-expect-error: no such column
liveQuery(users, { filter: { emial: "x" } });
// @ts-expect-error: no such column
liveQuery(users, { sort: { emial: "asc" } });
// @ts-expect-error: a number
liveCount(users, { age: "x" });
liveCount(users, { "team.name": "Blue" }, (count) => same<typeof count, number>()).close();
using counted = liveCount(users);
counted.count.toFixed();
