import { type LooseTable, openTable } from "./fixture.js";

/** Columns of most kinds, for tests of records. */
export const RECORD_COLUMNS: readonly unknown[] = [
  { name: "name", type: "string" },
  { name: "n", type: "int" },
  {
    name: "address",
    type: "object",
    columns: [
      { name: "street", type: "string" },
      { name: "zip", type: "int" },
      { name: "geo", type: "object", columns: [{ name: "lat", type: "float" }] },
    ],
  },
  { name: "tags", type: "multiple" },
  { name: "doc", type: "json" },
  { name: "boss", type: "link", link: { table: "items" } },
];

export function openRecords(profile?: "documented" | "xata"): LooseTable {
  return openTable(RECORD_COLUMNS, profile);
}
