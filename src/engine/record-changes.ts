import type { TableAddress } from "../catalog/address.js";
import type { Profile } from "../profile.js";
import { DEFAULT_LIMITS } from "../profile.js";
import { bindProject } from "../query/run.js";
import type { JsonObject } from "../shape/fields.js";
import type { TableVersion } from "../storage/table.js";
import type { AnyRecord } from "../types.js";
import { equalJson } from "../value/json.js";
import type { RecordChange } from "./change.js";
import type { RecordsBefore } from "./write-feed.js";

/** Returns the changes from former records to a version, deletions first. */
export function compareRecords(
  known: RecordsBefore,
  table: TableVersion,
  at: TableAddress,
  profile: Profile,
): RecordChange[] {
  const project = projectWhole(table, profile);
  const deleted: RecordChange[] = [];
  const changed: RecordChange[] = [];
  for (const [id, before] of known) {
    const ordinal = table.find(id);
    const after = ordinal < 0 ? null : project(ordinal);
    if (after === null) {
      if (before !== null) deleted.push({ kind: "record_deleted", ...at, record: before });
    } else if (before === null) changed.push({ kind: "record_inserted", ...at, record: after });
    else if (!isSame(before, after, profile)) {
      changed.push({ kind: "record_updated", ...at, before, after });
    }
  }
  return deleted.concat(changed);
}

/** Detects a record that was deleted and restored unchanged. */
function isSame(before: AnyRecord, after: AnyRecord, { metadataColumn }: Profile): boolean {
  const [from, to] = [before[metadataColumn], after[metadataColumn]] as [JsonObject, JsonObject];
  return from.version === to.version && equalJson(before as JsonObject, after as JsonObject);
}

/** Reads no other table: links are ids only (rule P-1). */
export function projectWhole(
  table: TableVersion,
  profile: Profile,
): (ordinal: number) => AnyRecord {
  const run = {
    table,
    profile,
    limits: DEFAULT_LIMITS[profile.base],
    indexes: "never",
    findTable: () => undefined,
    drawSeed: () => 0,
  } as const;
  const project = bindProject(run, undefined, "/columns");
  return (ordinal) => project([ordinal])[0]!;
}
