import { plain, type Session } from "./driver.js";

/** The schema of the catalog, beside those of the databases. */
const SCHEMA = "twinbase";

/** The one row that numbers every change of the catalog; who changes it locks it first. */
export const CATALOG: string = `${SCHEMA}.catalog`;

/** What there is, as text: one row for the accounts, one for each database. */
export const DOCUMENTS: string = `${SCHEMA}.documents`;

/** The indexes that queries could go by, and how often they were asked: what is told of is text. */
export const DEMAND: string = `${SCHEMA}.demand`;

/** The key of the document of users and workspaces; others are `workspace/database`. */
export const ACCOUNTS = "";

/** The key of a database; names have no slash (rule N-1). */
export function databaseKey(workspace: string, database: string): string {
  return `${workspace}/${database}`;
}

/** The table of a database's schema that holds the version of its document. */
export function gateOf(schema: string): string {
  return `${schema}.version`;
}

/** Of the lock under which the layout is made. */
const LAYOUT_LOCK = "8315161595823087";

/** Makes what the catalog is kept in, unless it is there; several processes may begin at once. */
export async function prepareLayout(session: Session): Promise<void> {
  for (const text of [
    `select pg_advisory_xact_lock(${LAYOUT_LOCK})`,
    `create schema if not exists ${SCHEMA}`,
    `create table if not exists ${CATALOG} (
      one boolean primary key check (one),
      version bigint not null,
      tables_made bigint not null,
      names_made bigint not null
    )`,
    `create table if not exists ${DOCUMENTS} (
      key text collate "C" primary key,
      version bigint not null,
      place bigint not null,
      schema text,
      tables json,
      content text not null
    )`,
    `create table if not exists ${DEMAND} (
      schema text not null,
      name text not null,
      definition text not null,
      asked bigint not null,
      unfit boolean not null,
      primary key (schema, name)
    )`,
    `insert into ${CATALOG} (one, version, tables_made, names_made)
      values (true, 0, 0, 0) on conflict do nothing`,
  ]) {
    await session.query(plain(text));
  }
  // A cluster moves no table without a primary key; those made by earlier versions have none.
  const keyless = await session.query(
    plain(`select schema from ${DOCUMENTS} where schema is not null and not exists (
      select from pg_index where indrelid = to_regclass(schema || '.version') and indisprimary
    )`),
  );
  for (const [schema] of keyless) {
    await session.query(plain(`alter table ${gateOf(schema ?? "")} add primary key (version)`));
  }
}
