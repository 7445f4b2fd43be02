import { requireWorkers } from "./citus.js";
import { type Driver, plain, type Session } from "./driver.js";

const SCHEMA = "twinbase";

/** One row with the catalog's version; changes lock it first. */
export const CATALOG: string = `${SCHEMA}.catalog`;

/** Documents as text: one for the accounts, one per database. */
export const DOCUMENTS: string = `${SCHEMA}.documents`;

/** One row with a number above those of generated ids. */
export const IDS: string = `${SCHEMA}.ids`;

/** Requested indexes with their counts. */
export const DEMAND: string = `${SCHEMA}.demand`;

/** The key of the accounts' document; others are `workspace/database`. */
export const ACCOUNTS = "";

/** Names have no slash (N-1). */
export function databaseKey(workspace: string, database: string): string {
  return `${workspace}/${database}`;
}

/** The table with the version of a database's document. */
export function gateOf(schema: string): string {
  return `${schema}.version`;
}

const LAYOUT_LOCK = "8315161595823087";

/** Objects, with the statements that create them. */
const LAYOUT: readonly (readonly [test: string, ...create: string[]])[] = [
  [`to_regnamespace('${SCHEMA}')`, `create schema ${SCHEMA}`],
  [
    `to_regclass('${CATALOG}')`,
    `create table ${CATALOG} (
      one boolean primary key check (one),
      version bigint not null,
      tables_made bigint not null,
      names_made bigint not null
    )`,
    `insert into ${CATALOG} values (true, 0, 0, 0)`,
  ],
  [
    `to_regclass('${DOCUMENTS}')`,
    `create table ${DOCUMENTS} (
      key text collate "C" primary key,
      version bigint not null,
      place bigint not null,
      schema text,
      tables json,
      content text not null
    )`,
  ],
  [
    `to_regclass('${IDS}')`,
    `create table ${IDS} (one boolean primary key check (one), next bigint not null)`,
    `insert into ${IDS} values (true, 0)`,
  ],
  [
    `to_regclass('${DEMAND}')`,
    `create table ${DEMAND} (
      schema text not null,
      name text not null,
      definition text not null,
      asked bigint not null,
      unfit boolean not null,
      primary key (schema, name)
    )`,
  ],
];

/**
 * Creates the catalog's tables that are missing: a cluster sends the statements to all workers, also to one
 * that is down. Several processes may start at once.
 */
export async function prepareLayout(session: Session, driver: Driver): Promise<void> {
  await session.query(plain(`select pg_advisory_xact_lock(${LAYOUT_LOCK})`));
  const tests = LAYOUT.map(([test]) => `${test} is null`);
  const [isMissing = []] = await session.query(plain(`select ${tests.join(", ")}`));
  if (isMissing.includes("t")) await requireWorkers(driver);
  for (const [i, [, ...create]] of LAYOUT.entries()) {
    if (isMissing[i] === "t") for (const text of create) await session.query(plain(text));
  }
  // Clusters cannot move tables without a primary key; earlier versions created such.
  const keyless = await session.query(
    plain(`select schema from ${DOCUMENTS} where schema is not null and not exists (
      select from pg_index where indrelid = to_regclass(schema || '.version') and indisprimary
    )`),
  );
  for (const [schema] of keyless) {
    await session.query(plain(`alter table ${gateOf(schema ?? "")} add primary key (version)`));
  }
}
