import { type TableAddress, tableNames } from "../catalog/address.js";
import type { CatalogEvent, Names } from "../catalog/events.js";
import type { TableKey } from "../catalog/state.js";
import type { DanglingLink, Notice, PersistenceSink, RemoteRows } from "../engine/notice.js";
import { refuse } from "../errors.js";
import type { LinkColumn } from "../schema/columns.js";
import type { Breach, RowCheck } from "../storage/row-checks.js";
import type { Session } from "./driver.js";
import { findStoredBreach } from "./find-breach.js";
import { databaseKey } from "./layout.js";
import { findDangling } from "./link-constraints.js";

import { isInDatabase, keysIn, type SchemaChange, type SchemaWriter } from "./schema-change.js";

/** A condition on the rows of a table. */
interface CheckStep {
  readonly kind: "check";
  readonly index: number;
  readonly at: TableAddress;
  readonly check: RowCheck;
}

/** A condition on the links that a column has after all steps (rule T-18). */
interface LinkStep {
  readonly kind: "links";
  readonly index: number;
  readonly at: TableAddress;
  readonly table: TableKey;
  readonly column: LinkColumn;
}

export type SchemaStep =
  | { readonly kind: "event"; readonly event: CatalogEvent }
  | CheckStep
  | LinkStep;

type Answer = Breach | DanglingLink;

/** Answers by the number of their condition; undefined if it holds. */
export type Answers = Map<number, Answer | undefined>;

/**
 * The steps of a program without rows: what it decides, and what it requires of the rows, in order. A
 * condition without an answer counts as fulfilled; once a breach is known the program runs again,
 * and refuses it at its place.
 */
export class SchemaSteps implements RemoteRows, PersistenceSink {
  readonly steps: SchemaStep[] = [];
  readonly #answers: Answers;
  #committed = 0;
  #asked = 0;

  constructor(answers: Answers) {
    this.#answers = answers;
  }

  /** Whether conditions have no answer. */
  get isPending(): boolean {
    return this.steps.some((step) => step.kind !== "event" && !this.#answers.has(step.index));
  }

  /** Called before a call: the steps of one that failed are void. */
  requireReady(): void {
    this.steps.length = this.#committed;
  }

  persist({ events }: Notice): void {
    if (events.some(({ kind }) => kind === "records")) {
      refuse("not_implemented", "change: records are written by transact");
    }
    this.#committed = this.steps.length;
  }

  flushed(): undefined {
    return undefined;
  }

  note(events: readonly CatalogEvent[]): void {
    for (const event of events) this.steps.push({ kind: "event", event });
  }

  findBreach(at: TableAddress, check: RowCheck): Breach | undefined {
    return this.#ask({ kind: "check", index: this.#asked++, at, check }) as Breach | undefined; // of a check
  }

  findDangling(at: TableAddress, table: TableKey, column: LinkColumn): DanglingLink | undefined {
    const step = { kind: "links", index: this.#asked++, at, table, column } as const;
    return this.#ask(step) as DanglingLink | undefined; // of a link
  }

  #ask(step: CheckStep | LinkStep): Answer | undefined {
    this.steps.push(step);
    return this.#answers.get(step.index);
  }

  /** The keys of the databases that the steps change or read, among those that exist. */
  databasesAmong(existing: readonly string[]): Set<string> {
    const found = new Set<string>();
    for (const step of this.steps) {
      const at = step.kind === "event" ? atOf(step.event) : [step.at.workspace, step.at.database];
      const [workspace = "", database] = at;
      if (database !== undefined) found.add(databaseKey(workspace, database));
      else for (const key of keysIn(workspace, existing)) found.add(key);
    }
    return found;
  }
}

/** The names of the database that an event changes; of a deleted workspace, its name. */
function atOf(event: CatalogEvent): Names {
  if (event.kind === "counted") return [""];
  if (isInDatabase(event)) return event.at.slice(0, 2);
  return event.kind === "deleted" && event.entity === "workspace" ? event.at : [""];
}

/** Does the steps until rows break a condition; returns whether they do. */
export async function answerSteps(
  session: Session,
  writer: SchemaWriter,
  { steps }: SchemaSteps,
  answers: Answers,
): Promise<boolean> {
  for (const step of steps) {
    if (step.kind === "event") {
      for (const statement of writer.write(step.event)) await session.query(statement);
    } else if (step.kind === "check" && !answers.has(step.index)) {
      const table = writer.tableAt(tableNames(step.at));
      const breach = await findStoredBreach(session, table, step.check);
      answers.set(step.index, breach);
      if (breach !== undefined) return true;
    }
  }
  return false;
}

/** Looks for dangling links after all steps; returns whether there are any. */
export async function answerLinks(
  session: Session,
  { writer, change }: { readonly writer: SchemaWriter; readonly change: SchemaChange },
  { steps }: SchemaSteps,
  answers: Answers,
): Promise<boolean> {
  for (const step of steps) {
    if (step.kind !== "links" || answers.has(step.index)) continue;
    const table = writer.tableOf(step.table);
    const constraint = change.constraints.find(
      (one) => one.table === table && one.column.slot === step.column.slot,
    );
    const found = constraint && (await findDangling(session, constraint));
    answers.set(step.index, found);
    if (found !== undefined) return true;
  }
  return false;
}

/** Returns the value or the error of a program. */
export async function attempt<T>(
  act: () => T | Promise<T>,
): Promise<{ readonly value: T } | { readonly error: unknown }> {
  try {
    return { value: await act() };
  } catch (error) {
    return { error };
  }
}
