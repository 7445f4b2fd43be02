import type { TableAddress } from "../catalog/address.js";
import type { CatalogEvent, EntityKind, Names } from "../catalog/events.js";
import type { CatalogState } from "../catalog/state.js";
import type { Profile } from "../profile.js";
import { describeSchema } from "../schema/declare.js";
import type { Change } from "./change.js";
import { compareTables, tableChanges, walkStates } from "./changes.js";
import type { EngineEvent, Notice } from "./notice.js";

/** Returns the changes of a notice, without secrets. */
export function changesIn(notice: Notice, profile: Profile): Change[] {
  const { events, before, after, versions, replaced } = notice;
  if (replaced !== undefined) {
    return [...walkStates(before, after, compareTables(replaced, versions, profile))];
  }
  const all = events.flatMap((event) => changesOf(event, notice, profile));
  // One change for an entity whose contents change several times.
  const known = new Set<string>();
  return all.filter((change) => {
    const [, entity, verb] = /^(\w+)_(created|changed)$/.exec(change.kind) ?? [];
    if (verb === undefined || entity === "table") return true;
    const { workspace, database, branch, user } = change as Partial<TableAddress> & WithUser;
    const key = JSON.stringify([entity, workspace, database, branch, user?.id]);
    return known.size !== known.add(key).size;
  });
}

interface WithUser {
  readonly user?: { readonly id: string };
}

function changesOf(event: EngineEvent, notice: Notice, profile: Profile): readonly Change[] {
  switch (event.kind) {
    case "records":
      return event.changes;
    case "table_created": {
      if (event.rowsOf !== undefined) return []; // part of its branch
      const columns = describeSchema(event.version.schema);
      return [{ kind: event.kind, ...addressOf(event.at), columns }];
    }
    case "table_altered":
      return [...tableChanges(event.before, event.version, addressOf(event.at), profile)];
    case "renamed": {
      const { entity, at, to } = event;
      const from = at.at(-1);
      return [
        { kind: `${entity}_renamed`, ...addressOf([...at.slice(0, -1), to]), from } as Change,
      ]; // entities with names
    }
    case "created":
    case "changed":
    case "deleted":
      return entityChanges(event, notice);
    default:
      return [];
  }
}

type EntityEvent = Extract<CatalogEvent, { readonly kind: "created" | "changed" | "deleted" }>;

/** Entities without changes of their own: the one above is reported as changed. */
const CHANGED: Partial<Record<EntityKind, string>> = {
  member: "workspace",
  invite: "workspace",
  gitBranch: "database",
};

function entityChanges(event: EntityEvent, { before, after }: Notice): readonly Change[] {
  const { kind, entity, at } = event;
  const [name = ""] = at;
  if (entity === "deletedKey") return [];
  if (entity === "user") {
    const user = (kind === "deleted" ? before : after).users.get(name);
    return user === undefined ? [] : [{ kind: `user_${kind}`, user: { id: name, ...user } }];
  }
  if (entity === "key") {
    const userId = keyOf(before, after, name)?.userId ?? "";
    const user = after.users.get(userId);
    return user === undefined ? [] : [{ kind: "user_changed", user: { id: userId, ...user } }];
  }
  const parent = CHANGED[entity];
  if (parent !== undefined) {
    return [{ kind: `${parent}_changed` as string, ...addressOf(at.slice(0, -1)) } as Change]; // by the table
  }
  const from = kind === "created" && event.from !== undefined ? { from: event.from } : {};
  return [{ kind: `${entity}_${kind}` as string, ...addressOf(at), ...from } as Change]; // entities with names
}

function keyOf(before: CatalogState, after: CatalogState, key: string) {
  return after.keys.get(key) ?? before.keys.get(key);
}

/** Returns the names that there are; at most those of a table. */
function addressOf([workspace, database, branch, table]: Names): TableAddress {
  return {
    workspace,
    ...(database !== undefined && { database }),
    ...(branch !== undefined && { branch }),
    ...(table !== undefined && { table }),
  } as TableAddress; // shorter for other entities
}
