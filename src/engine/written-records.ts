import type { TableAddress } from "../catalog/address.js";
import type { Profile } from "../profile.js";
import { DEFAULT_LIMITS } from "../profile.js";
import { bindProject } from "../query/run.js";
import type { TableVersion } from "../storage/table.js";
import type { RowWatcher } from "../storage/watch-writes.js";
import type { AnyRecord } from "../types.js";
import type { JsonObject } from "../value/fields.js";
import { equalJson } from "../value/json.js";
import type { RecordChange } from "./change.js";
import type { WrittenRow } from "./notice.js";

/**
 * What a call writes to the records of one table, noted while it writes: so that telling of it costs
 * what was written, and the table can be changed in place.
 */
export class WrittenRecords implements RowWatcher {
  readonly #profile: Profile;
  /** By the ids of the records that were written, as they were before; null where there was none. */
  readonly #before = new Map<string, AnyRecord | null>();

  constructor(profile: Profile) {
    this.#profile = profile;
  }

  get rows(): Iterable<WrittenRow> {
    return Array.from(this.#before.keys(), (id) => ({ id, ordinal: -1, slots: undefined }));
  }

  onWrite(table: TableVersion, id: string, ordinal: number): void {
    if (this.#before.has(id)) return;
    this.#before.set(id, ordinal < 0 ? null : projectWhole(table, this.#profile)(ordinal));
  }

  /** The changes that led to a version of the table: what was deleted comes first. */
  changesTo(table: TableVersion, at: TableAddress): RecordChange[] {
    const project = projectWhole(table, this.#profile);
    const deleted: RecordChange[] = [];
    const changed: RecordChange[] = [];
    for (const [id, before] of this.#before) {
      const ordinal = table.find(id);
      const after = ordinal < 0 ? null : project(ordinal);
      if (after === null) {
        if (before !== null) deleted.push({ kind: "record_deleted", ...at, record: before });
      } else if (before === null) changed.push({ kind: "record_inserted", ...at, record: after });
      else if (!isSame(before, after, this.#profile)) {
        changed.push({ kind: "record_updated", ...at, before, after });
      }
    }
    return deleted.concat(changed);
  }
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
