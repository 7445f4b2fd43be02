import { type BranchAddress, branchNames, type TableAddress, tableAt } from "../catalog/address.js";
import { entityAt } from "../catalog/events.js";
import type { BranchState, CatalogState, TableKey } from "../catalog/state.js";
import { type At, below, describe, pointerTo, ROOT, TwinbaseError } from "../errors.js";
import type { LinkColumn } from "../schema/columns.js";
import { ordinalsOf, type TableVersion } from "../storage/table.js";
import { checkEvery } from "../value/check-every.js";
import { compareStrings } from "../value/compare.js";
import { BatchFaults, type BatchKind } from "./batch-faults.js";
import type { RemoteRows } from "./notice.js";

/** A link that names no record. */
export interface LinkFault {
  readonly address: TableAddress;
  readonly column: LinkColumn;
  readonly link: string;
  readonly record: string;
  /** The record in the request. */
  readonly at: At;
}

interface Batch {
  readonly of: BatchKind;
}

interface PendingLink extends LinkFault {
  /** Whether it was found elsewhere, where the records are. */
  readonly isFound?: boolean;
  /** The table with the link, which may be renamed before the check. */
  readonly table: TableKey;
  readonly batch: Batch | undefined;
  readonly index: number;
}

interface Tables {
  readonly state: CatalogState;
  readonly tables: ReadonlyMap<TableKey, TableVersion>;
}

interface AlteredLinks {
  readonly before: TableVersion;
  readonly after: TableVersion;
  readonly remote: RemoteRows | undefined;
}

/** The links that a call or atomic batch writes. Its end checks that each names a record (rule T-18). */
export class LinkChecks {
  #pending: PendingLink[] = [];
  #batch: Batch | undefined;
  #index = 0;

  /** Drops the links of a failed call. */
  cancel(): void {
    this.#pending = [];
    this.#batch = undefined;
  }

  /** Starts a batch: until {@link endBatch}, links belong to its members. */
  beginBatch(of: BatchKind): void {
    this.#batch = { of };
  }

  atMember(index: number): void {
    this.#index = index;
  }

  endBatch(): void {
    this.#batch = undefined;
  }

  add(link: Omit<PendingLink, "batch" | "index">): void {
    this.#pending.push({ batch: this.#batch, index: this.#index, ...link });
  }

  /** Adds the links of columns that a new schema adds or points to another table. */
  addAltered(
    address: TableAddress,
    table: TableKey,
    { before, after, remote }: AlteredLinks,
    checkTime: () => void,
  ): void {
    const { links } = before.schema.constraints;
    for (const column of after.schema.constraints.links) {
      const linkBefore = links.find(({ slot }) => slot === column.slot);
      if (linkBefore?.target === column.target) continue;
      const found = remote?.findDangling(address, table, column);
      if (found !== undefined) {
        this.add({ address, table, column, ...found, at: ROOT, isFound: true });
      }
      for (const [link, record] of distinctLinks(after, column, checkTime)) {
        this.add({ address, table, column, link, record, at: ROOT });
      }
    }
  }

  /** @throws TwinbaseError `invalid_record` if a link that was written names no record */
  check(after: Tables, checkTime: () => void): void {
    const pending = this.#pending;
    if (pending.length === 0) return;
    this.#pending = [];
    const checkStep = checkEvery(checkTime);
    const dangling = pending.filter((link) => {
      checkStep();
      return isDangling(link, after);
    });
    const [first] = dangling;
    if (first === undefined) return;
    if (first.batch === undefined) refuseLink(first);
    const faults = new BatchFaults(first.batch.of);
    const listed = new Set<number>();
    for (const link of dangling) {
      const { batch, index } = link;
      if (batch !== first.batch || listed.has(index)) continue;
      listed.add(index);
      faults.add(index, errorOf(link, first.batch.of));
    }
    faults.throwAny();
  }
}

export function refuseLink(link: LinkFault): never {
  throw errorOf(link);
}

function errorOf({ at, ...link }: LinkFault, batch?: BatchKind): TwinbaseError {
  const { address, column } = link;
  const table = batch === "operations" ? address.table : undefined;
  const message = `table [${address.table}]: ${describeFault(link)}`;
  const path = pointerTo(column.path.split(".").reduce<At>(below, at));
  const reason = { kind: "record", text: describeFault(link) } as const;
  return new TwinbaseError("invalid_record", message, { path, rule: "T-18", reason, table });
}

export function describeFault({ column, link, record }: Omit<LinkFault, "at">): string {
  const { path, target } = column;
  return `record [${record}]: column [${path}] links to ${describe(link)}, but table [${target}] has no such record`;
}

/** A later write may have replaced the link or its target. */
function isDangling(pending: PendingLink, after: Tables): boolean {
  const { address, table, column, link, record, isFound } = pending;
  if (isFound) return true;
  const version = after.tables.get(table);
  const now = version?.schema.constraints.links.find(({ slot }) => slot === column.slot);
  const target = now && targetOf(after, address, now);
  if (version === undefined || target === undefined || target.has(link)) return false;
  const ordinal = version.find(record);
  return ordinal >= 0 && version.get(ordinal, column.slot) === link;
}

/** Returns the table that a column links to, in the branch of an address. */
function targetOf(
  { state, tables }: Tables,
  address: BranchAddress,
  { target }: LinkColumn,
): TableVersion | undefined {
  const key = entityAt(state, "table", [...branchNames(address), target]);
  return tables.get(key as TableKey); // by its kind; none has the key undefined
}

/** Yields the links that name no record of an existing table, each id once per column. */
export function* danglingLinks(contents: Tables): Generator<ContainedLink> {
  for (const [address, branch] of branchesIn(contents.state)) {
    for (const [name, table] of branch.tables) {
      const version = contents.tables.get(table)!; // the catalog refers to existing tables only
      for (const column of version.schema.constraints.links) {
        const target = targetOf(contents, address, column);
        if (target === undefined) continue;
        for (const [link, record] of distinctLinks(version, column)) {
          if (target.find(link) >= 0) continue;
          yield { address: tableAt(address, name), table, column, link, record };
        }
      }
    }
  }
}

interface ContainedLink extends Omit<LinkFault, "at"> {
  readonly table: TableKey;
}

function* branchesIn({ workspaces }: CatalogState): Generator<[BranchAddress, BranchState]> {
  for (const [workspace, { databases }] of workspaces) {
    for (const [database, { branches }] of databases) {
      for (const [branch, state] of branches) yield [{ workspace, database, branch }, state];
    }
  }
}

/** Returns each linked id with the first record by id that links to it, by that id. */
function distinctLinks(
  version: TableVersion,
  { slot }: LinkColumn,
  checkTime?: () => void,
): [link: string, record: string][] {
  const first = new Map<string, string>();
  const checkStep = checkEvery(checkTime);
  for (const ordinal of ordinalsOf(version.chunks)) {
    checkStep();
    const link = version.get(ordinal, slot);
    if (typeof link !== "string") continue;
    const [known, id] = [first.get(link), version.idAt(ordinal)];
    if (known === undefined || compareStrings(id, known) < 0) first.set(link, id);
  }
  return [...first].sort(([, a], [, b]) => compareStrings(a, b));
}
