import fc from "fast-check";
import type { ColumnDefinition } from "../../types.js";
import { base64Of, type FileChange } from "../oracle/files.js";
import type { JsonObject } from "../oracle/model.js";
import type { Fixture } from "../target/target.js";
import { oneOf } from "./people.js";

const COLUMNS: readonly ColumnDefinition[] = [
  { name: "photo", type: "file" },
  { name: "papers", type: "file[]" },
];

export function filesFixture(records: readonly JsonObject[]): Fixture {
  const named = records.map((record, i) => ({ id: `r${i + 1}`, ...record }));
  return { tables: [{ name: "docs", columns: COLUMNS, records: named }] };
}

export function fileArbitrary(): fc.Arbitrary<JsonObject> {
  return fc.record(
    {
      name: oneOf(["a", "b", "ba", ""]),
      mediaType: oneOf(["a/b", "a/c", "text/plain"]),
      base64Content: oneOf(["", "x", "xy", "xyz"]).map(base64Of),
      signedUrlTimeout: oneOf([1, 60]),
    },
    { requiredKeys: [] },
  );
}

export function fileChangeArbitrary(): fc.Arbitrary<FileChange> {
  const ids = oneOf(["x", "y", "z"]);
  const member = fc.tuple(ids, fileArbitrary()).map(([id, file]) => ({ id, ...file }));
  const members = fc.uniqueArray(member, { maxLength: 3, selector: ({ id }) => id });
  const set = fc.option(fileArbitrary(), { freq: 5 });
  const list = fc.option(members, { freq: 5 });
  return fc.oneof(
    set.map((file) => ({ kind: "set" as const, file })),
    list.map((files) => ({ kind: "list" as const, files })),
    fc.record({
      kind: oneOf(["put", "delete"] as const),
      id: fc.option(ids, { nil: undefined }),
      raw: oneOf(["", "{}", "é", "xy"]),
    }),
  );
}
