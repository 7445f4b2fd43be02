import type { BranchAddress, TableAddress } from "../catalog/address.js";
import type { CatalogEvent, EntityKind, Names } from "../catalog/events.js";
import { findBranch } from "../catalog/find.js";
import { DEFAULT_LIMITS, type Profile } from "../profile.js";
import { createTableView, type QueryRun } from "../query/query-run.js";
import { bindProject } from "../query/run.js";
import type { CompiledSchema } from "../schema/columns.js";
import { describeSchema } from "../schema/declare.js";
import { createTableVersion, type TableVersion } from "../storage/table.js";
import type { AnyRecord } from "../types.js";
import { freezeDeep } from "../value/freeze.js";
import type { Change } from "./change.js";
import { diffEntities, diffEvents } from "./diff-events.js";
import { diffRecords, diffWritten, type RecordDiff } from "./diff-records.js";
import type { EngineEvent, Notice, RecordsWritten, States } from "./notice.js";
import { requireAlike, Snapshot } from "./snapshot.js";

/**
 * Returns the differences between two snapshots; shared parts cost no time.
 *
 * @throws TwinbaseError `invalid_request` unless both are snapshots with equal profiles
 */
export function diff(before: Snapshot, after: Snapshot): Change[] {
  return [...walkDiff(before, after)];
}

export function* walkDiff(before: Snapshot, after: Snapshot): Generator<Change> {
  const { contents, profile } = Snapshot.read(before, "diff");
  const next = Snapshot.read(after, "diff");
  requireAlike("diff", next.profile, profile);
  yield* diffStates({ before: contents, after: next.contents }, profile);
}

/** Yields the differences between two branches of a database. */
export function* walkBranches(
  snapshot: Snapshot,
  { workspace, database, branch }: BranchAddress,
  other: string,
): Generator<Change> {
  const { contents, profile } = Snapshot.read(snapshot, "diff");
  const [before, after] = [branch, other].map((name) =>
    findBranch(contents.state, { workspace, database, branch: name }),
  );
  const states = { before: contents, after: contents };
  const at = [workspace, database, branch];
  const events = diffEntities("table", at, before, after!, states);
  yield* changesIn({ events, before: contents.state, after: contents.state }, profile);
}

function* diffStates(states: States, profile: Profile): Generator<Change> {
  const [before, after] = [states.before.state, states.after.state];
  yield* changesIn({ events: diffEvents(states), before, after }, profile);
}

type Catalogs = Pick<Notice, "before" | "after">;

interface Events extends Catalogs {
  readonly events: Iterable<EngineEvent>;
}

/** Returns a call's changes, frozen: all listeners get the same ones. */
export function describeChanges(notice: Notice, profile: Profile): readonly Change[] {
  return freezeDeep([...changesIn(notice, profile)]);
}

/** Yields the changes of events, without secrets. Repeated changes of one entity are one. */
function* changesIn({ events, before, after }: Events, profile: Profile): Generator<Change> {
  const catalogs = { before, after };
  const seen = new Set<string>();
  for (const event of events) {
    for (const change of changesOf(event, catalogs, profile)) {
      const [, entity, verb] = /^(\w+)_(created|changed)$/.exec(change.kind) ?? [];
      if (verb !== undefined && entity !== "table") {
        const { workspace, database, branch, user } = change as Partial<TableAddress> & WithUser;
        const key = JSON.stringify([entity, workspace, database, branch, user?.id]);
        if (seen.size === seen.add(key).size) continue;
      }
      yield change;
    }
  }
}

interface WithUser {
  readonly user?: { readonly id: string };
}

function* changesOf(event: EngineEvent, catalogs: Catalogs, profile: Profile): Generator<Change> {
  switch (event.kind) {
    case "records":
      yield* recordChanges(event, diffWritten(event), profile);
      return;
    case "replaced":
      yield* diffStates(event, profile);
      return;
    case "table_created": {
      if (event.rowsOf !== undefined) return; // part of its branch
      const { identity, schema } = event.version;
      const at = addressOf(event.at);
      yield { kind: event.kind, ...at, columns: describeSchema(schema) };
      yield* tableChanges(createTableVersion(identity, schema), event.version, at, profile);
      return;
    }
    case "table_altered":
      yield* tableChanges(event.before, event.version, addressOf(event.at), profile);
      return;
    case "renamed": {
      const { entity, at, to } = event;
      const from = at.at(-1);
      yield { kind: `${entity}_renamed`, ...addressOf([...at.slice(0, -1), to]), from } as Change; // entities with names
      return;
    }
    case "created":
    case "changed":
    case "deleted":
      yield* entityChanges(event, catalogs);
  }
}

type EntityEvent = Extract<CatalogEvent, { readonly kind: "created" | "changed" | "deleted" }>;

/** Entities without changes of their own: their parent is reported as changed. */
const PARENTS: Partial<Record<EntityKind, string>> = {
  member: "workspace",
  invite: "workspace",
  gitBranch: "database",
};

function entityChanges(event: EntityEvent, { before, after }: Catalogs): readonly Change[] {
  const { kind, entity, at } = event;
  const [name = ""] = at;
  if (entity === "deletedKey") return [];
  if (entity === "user") {
    const user = (kind === "deleted" ? before : after).users.get(name);
    return user === undefined ? [] : [{ kind: `user_${kind}`, user: { id: name, ...user } }];
  }
  if (entity === "key") {
    const { userId = "" } = after.keys.get(name) ?? before.keys.get(name) ?? {};
    const user = after.users.get(userId);
    return user === undefined ? [] : [{ kind: "user_changed", user: { id: userId, ...user } }];
  }
  const parent = PARENTS[entity];
  if (parent !== undefined) {
    return [{ kind: `${parent}_changed` as string, ...addressOf(at.slice(0, -1)) } as Change]; // by the table
  }
  const from = kind === "created" && event.from !== undefined ? { from: event.from } : {};
  return [{ kind: `${entity}_${kind}` as string, ...addressOf(at), ...from } as Change]; // entities with names
}

/** Returns the address of a workspace, database, branch or table. */
function addressOf([workspace, database, branch, table]: Names): TableAddress {
  return {
    workspace,
    ...(database !== undefined && { database }),
    ...(branch !== undefined && { branch }),
    ...(table !== undefined && { table }),
  } as TableAddress; // shorter for other entities
}

function* tableChanges(
  from: TableVersion,
  to: TableVersion,
  at: TableAddress,
  profile: Profile,
): Generator<Change> {
  if (from === to) return;
  if (!isSameSchema(from.schema, to.schema)) {
    const [before, after] = [describeSchema(from.schema), describeSchema(to.schema)];
    yield { kind: "table_altered", ...at, before, after };
  }
  yield* recordChanges({ before: from, version: to, at }, diffRecords(from, to), profile);
}

function* recordChanges(
  { before: from, version, at }: Pick<RecordsWritten, "before" | "version" | "at">,
  records: Iterable<RecordDiff>,
  profile: Profile,
): Generator<Change> {
  const [projectFrom, projectTo] = [projectWhole(from, profile), projectWhole(version, profile)];
  for (const { before, after } of records) {
    if (after < 0) yield { kind: "record_deleted", ...at, record: projectFrom(before) };
    else if (before < 0) yield { kind: "record_inserted", ...at, record: projectTo(after) };
    else {
      const [old, next] = [projectFrom(before), projectTo(after)];
      yield { kind: "record_updated", ...at, before: old, after: next };
    }
  }
}

/** Reads no other table: links are ids only (rule P-1). */
function projectWhole(table: TableVersion, profile: Profile): (ordinal: number) => AnyRecord {
  const limits = DEFAULT_LIMITS[profile.base];
  const run: QueryRun = { ...createTableView(table), profile, limits, drawSeed: () => 0 };
  const project = bindProject(run, undefined, "/columns");
  return (ordinal) => project([ordinal])[0]!;
}

/** Recreated columns have new slots. */
function isSameSchema(before: CompiledSchema, after: CompiledSchema): boolean {
  const describe = (schema: CompiledSchema): string =>
    JSON.stringify([describeSchema(schema), schema.leaves.map(({ slot }) => slot)]);
  return before === after || describe(before) === describe(after);
}
