import { defineColumns } from "../columns.js";
import { openTable, type UntypedTable } from "./fixture.js";

/** Columns of most types. */
export const RECORD_COLUMNS: readonly unknown[] = defineColumns({
  name: "string",
  n: "int",
  address: { street: "string", zip: "int", geo: { lat: "float" } },
  tags: "multiple",
  doc: "json",
  boss: "-> items",
});

export function openRecords(profile?: "documented" | "xata"): UntypedTable {
  return openTable(RECORD_COLUMNS, profile);
}
