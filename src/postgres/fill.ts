import { type Content, readBatches } from "../engine/export/read-batches.js";
import { outlineExport } from "../engine/export.js";
import { requireAlike } from "../engine/snapshot.js";
import { refuse, TwinbaseError } from "../errors.js";
import { formatArray } from "../sql/arrays.js";
import { columnName, type Statement, StatementWriter } from "../sql/statement.js";
import { uniqueExpression } from "../sql/unique.js";
import type { TableVersion } from "../storage/table.js";
import { sha256 } from "../value/sha256.js";
import type { Backend } from "./backend.js";
import { type PlacedTable, placementsBy, readInBatches, tablesOf } from "./contents.js";
import { plain, type Session } from "./driver.js";
import { failureOf } from "./failure.js";
import { flushRows, type RowForm } from "./flush.js";
import { encodeRows, holdRows } from "./rows.js";

/** How much was copied. */
export interface CopiedCounts {
  /** Of all branches. */
  readonly tables: number;
  /** Of all these tables. */
  readonly records: number;
  /** SHA-256 over all of them as they were read again, in hexadecimal. */
  readonly hash: string;
}

/** The text of an export, or its UTF-8, in chunks: the same, however often it is opened. */
export type OpenExport = () => AsyncIterable<string | Uint8Array>;

/**
 * Puts all that an export holds into a database that holds nothing, in one transaction: before that
 * ends it is read again, and compared by counts and hashes. Some records are held at a time.
 *
 * @param open is called twice: what is to be made is read first, then the records
 * @throws TwinbaseError `invalid_request` where there is something, or the export's profile is
 * another; with the line of the export, or the table, where a record cannot be held
 */
export async function fillDatabase({ catalog }: Backend, open: OpenExport): Promise<CopiedCounts> {
  const { setup, contents } = await outlineExport(open());
  requireAlike("import", setup.profile, catalog.context.profile);
  let copied: CopiedCounts | undefined;
  await catalog.adopt(contents, async (session, placements) => {
    // Tables are numbered as branches name them first.
    const places = new Map<TableVersion, PlacedTable[]>();
    for (const table of tablesOf(contents, placementsBy(placements))) {
      places.set(table.value, [...(places.get(table.value) ?? []), table]);
    }
    const numbered = [...places.values()];
    const digests = numbered.map(() => new Digest());
    const form = catalog.rowForm;
    let hasContents = false;
    for await (const batch of readBatches(open(), setup.profile)) {
      if ("contents" in batch) {
        if (!hasContents) await session.query(CREATE_CONTENTS);
        hasContents = true;
        for (const content of batch.contents) await session.query(insertContent(content));
        continue;
      }
      const { number, hashes } = batch;
      const found = hashes.length === 0 ? [] : await readContents(session, hashes);
      const records = batch.read(found);
      digests[number]?.add(records);
      for (const table of numbered[number] ?? []) await writeRecords(session, table, records, form);
    }
    const whole = new Digest();
    for (const [number, tables] of numbered.entries()) {
      for (const table of tables) whole.join(await readAgain(session, table, digests[number]!)); // one for each
    }
    copied = { tables: numbered.flat().length, records: whole.count, hash: whole.hash };
  });
  return copied!; // by the transaction that has ended
}

/** Contents come before the records that name them, and are kept with these. */
const CREATE_CONTENTS: Statement = plain(
  "create temp table twinbase_contents (hash text primary key, content text) on commit drop",
);

function insertContent([hash, content]: Content): Statement {
  const writer = new StatementWriter();
  const values = [writer.bind(hash, "text"), writer.bind(content, "text")];
  return writer.finish(
    `insert into pg_temp.twinbase_contents values (${values.join(", ")}) on conflict do nothing`,
  );
}

async function readContents(session: Session, hashes: readonly string[]): Promise<Content[]> {
  const writer = new StatementWriter();
  const wanted = writer.bind(formatArray(hashes), "text[]");
  const text = `select hash, content from pg_temp.twinbase_contents where hash = any(${wanted})`;
  const rows = await session.query(writer.finish(text));
  return rows.map(([hash, content]) => [hash ?? "", content ?? ""]);
}

async function writeRecords(
  session: Session,
  { full, ...table }: PlacedTable,
  records: TableVersion,
  form: RowForm,
): Promise<void> {
  try {
    const none = holdRows(records, []);
    const change = { name: full, before: none, after: records };
    for (const { statement } of flushRows(change, { form })) await session.query(statement);
  } catch (error) {
    if (!(error instanceof Error) || error instanceof TwinbaseError) throw error;
    // Nobody else writes here: what is there already came with the export.
    const isTwice = (error as { readonly code?: unknown }).code === "23505";
    if (failureOf(error) !== undefined && !isTwice) throw error;
    refuse("invalid_request", `${placeOf(table)}: ${error.message}`);
  }
}

/** Reads what was written to a table, and requires that it is what was given. */
async function readAgain(session: Session, table: PlacedTable, given: Digest): Promise<Digest> {
  const { full, value } = table;
  const found = new Digest();
  for await (const records of readInBatches(session, full, value)) found.add(records);
  if (found.count !== given.count || found.hash !== given.hash) {
    const counts = `${found.count} records were read of ${given.count}`;
    const fault = found.count === given.count ? "what was read is not what was written" : counts;
    refuse("invalid_request", `${placeOf(table)}: ${fault}`);
  }
  // Of lists and JSON no index holds that they are unique (T-16).
  for (const column of value.schema.constraints.uniques) {
    if (uniqueExpression(column.type, columnName(column.slot)) !== undefined) continue;
    const name = `${columnName(column.slot)}${column.type === "json" ? "::jsonb" : ""}`;
    const twice = `select 1 from ${full} where ${name} is not null group by ${name} having count(*) > 1 limit 1`;
    const rows = await session.query(plain(twice));
    if (rows.length > 0) {
      refuse("invalid_request", `${placeOf(table)}: column [${column.path}] must be unique`);
    }
  }
  return found;
}

function placeOf({ address, name }: Pick<PlacedTable, "address" | "name">): string {
  const { workspace, database, branch } = address;
  return `workspace [${workspace}], database [${database}:${branch}], table [${name}]`;
}

/** A running hash over records, as they go to the database. */
class Digest {
  count = 0;
  #hash: Uint8Array = new Uint8Array(32);

  get hash(): string {
    return Array.from(this.#hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
  }

  add(records: TableVersion): void {
    for (const row of encodeRows(records).values()) {
      this.count++;
      this.#mix(JSON.stringify(row));
    }
  }

  /** Takes in another as a whole. */
  join(other: Digest): void {
    this.count += other.count;
    this.#mix(other.hash);
  }

  #mix(text: string): void {
    const bytes = new TextEncoder().encode(text);
    const all = new Uint8Array(this.#hash.length + bytes.length);
    all.set(this.#hash);
    all.set(bytes, this.#hash.length);
    this.#hash = sha256(all);
  }
}
