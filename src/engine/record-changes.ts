import type { TableAddress } from "../catalog/address.js";
import type { Profile } from "../profile.js";
import { DEFAULT_LIMITS } from "../profile.js";
import { bindProject } from "../query/run.js";
import type { TableVersion } from "../storage/table.js";
import type { AnyRecord } from "../types.js";
import type { JsonObject } from "../value/fields.js";
import { equalJson } from "../value/json.js";
import type { RecordChange } from "./change.js";
import type { RecordComparison, RecordsBefore } from "./write-feed.js";

/** Reads and compares whole records. */
export function createRecordComparison(profile: Profile): RecordComparison {
  return {
    read: (table, ordinal) => projectWhole(table, profile)(ordinal),
    compare: (before, table, at) => compareRecords(before, table, at, profile),
  };
}

/** The changes that led from records to those in a version of their table; deletions come first. */
function compareRecords(
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

/** Whether a record that was deleted has come back as it was; any other has another version. */
function isSame(before: AnyRecord, after: AnyRecord, { metadataColumn }: Profile): boolean {
  const [from, to] = [before[metadataColumn], after[metadataColumn]] as [JsonObject, JsonObject];
  return from.version === to.version && equalJson(before as JsonObject, after as JsonObject);
}

/** Whole records have only the ids of links in them (rule P-1): no other table is asked. */
export function projectWhole(
  table: TableVersion,
  profile: Profile,
): (ordinal: number) => AnyRecord {
  const environment = {
    profile,
    limits: DEFAULT_LIMITS,
    indexes: "never",
    findTable: () => undefined,
    drawSeed: () => 0,
  } as const;
  const project = bindProject(environment, table, undefined, "/columns");
  return (ordinal) => project([ordinal])[0]!;
}
