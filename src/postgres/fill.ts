import { requireAlike } from "../engine/snapshot.js";
import { refuse, TwinbaseError } from "../errors.js";
import { outlineExport } from "../persist/contexts.js";
import { formatArray } from "../sql/arrays.js";
import { columnName, type Statement, statementOf } from "../sql/statement.js";
import { hasUniqueIndex } from "../sql/unique.js";
import { ordinalsOf, type TableVersion } from "../storage/table.js";
import { sha256 } from "../value/sha256.js";
import type { Backend } from "./backend.js";
import { type PlacedTable, placementsBy, readInBatches, tablesOf } from "./contents.js";
import { plain, type Session } from "./driver.js";
import { codeOf, failureOf } from "./failure.js";
import { flushRows, type RowForm } from "./flush.js";
import { type Content, readBatches } from "./read-batches.js";
import { encodeRows, holdRows, selectStored, storedColumns } from "./rows.js";

/** The result of copying an export. */
export interface CopiedCounts {
  /** Of all branches. */
  readonly tables: number;
  /** Of all tables. */
  readonly records: number;
  /** SHA-256 of all records as read back, in hexadecimal. */
  readonly hash: string;
}

/** Opens the text of an export, or its UTF-8, in chunks; called repeatedly with equal results. */
export type OpenExport = () => AsyncIterable<string | Uint8Array>;

/**
 * Imports an export into an empty database in one transaction, then reads it back and compares.
 * Holds few records; calls `open` twice. Throws `invalid_request` with the line of an invalid
 * record.
 */
export async function fillDatabase(
  { catalog }: Pick<Backend, "catalog">,
  open: OpenExport,
): Promise<CopiedCounts> {
  const { setup, contents } = await outlineExport(open());
  requireAlike("import", setup.profile, catalog.context.profile);
  let copied: CopiedCounts | undefined;
  await catalog.adopt(contents, async (session, placements) => {
    const tables = new Map<number, PlacedTable>();
    const digests = new Map<number, Digest>();
    for (const table of tablesOf(contents, placementsBy(placements))) {
      tables.set(table.key, table); // in exports the keys are the numbers
      digests.set(table.key, new Digest());
    }
    const form = catalog.rowForm;
    let hasContents = false;
    for await (const batch of readBatches(open(), setup.profile)) {
      if (batch.kind === "content") {
        if (!hasContents) await session.query(CREATE_CONTENTS);
        hasContents = true;
        await session.query(insertContent(batch.content));
        continue;
      }
      const [table, digest] = [tables.get(batch.number), digests.get(batch.number)];
      if (table === undefined || digest === undefined) continue; // not used by a branch
      if (batch.kind === "table") {
        const source = batch.source === null ? undefined : tables.get(batch.source);
        if (source !== undefined) await copyRecords(session, source, table, digest);
        continue;
      }
      const { hashes, deleted } = batch;
      const found = hashes.length === 0 ? [] : await readContents(session, hashes);
      const records = batch.read(found);
      const existing = await readExisting(session, table, records, deleted, digest);
      digest.add(records);
      await writeRecords(session, table, existing, records, form);
    }
    const whole = new Digest();
    for (const [key, table] of tables) {
      whole.join(await readAgain(session, table, digests.get(key)!)); // one for each
    }
    copied = { tables: tables.size, records: whole.count, hash: whole.hash };
  });
  return copied!; // set by the finished transaction
}

async function copyRecords(
  session: Session,
  source: PlacedTable,
  table: PlacedTable,
  digest: Digest,
): Promise<void> {
  const there = new Set(storedColumns(source.value.schema).map(({ name }) => name));
  const names = storedColumns(table.value.schema).map(({ name }) => name);
  const columns = names.filter((name) => there.has(name)).join(", ");
  const copy = `insert into ${table.full} (${columns}) select ${columns} from ${source.full}`;
  await session.query(plain(copy));
  const absent = names.filter((name) => !there.has(name)).map((name) => `null as ${name}`);
  const rows = `(select ${[columns, ...absent].join(", ")} from ${source.full}) source`;
  for await (const some of readInBatches(session, rows, table.value)) digest.add(some);
}

/** Existing records among those that are written or deleted. */
async function readExisting(
  session: Session,
  { full, value }: PlacedTable,
  records: TableVersion,
  deleted: readonly string[],
  digest: Digest,
): Promise<TableVersion> {
  if (digest.count === 0) return holdRows(value, []);
  const ids = [...deleted, ...Array.from(ordinalsOf(records.chunks), (row) => records.idAt(row))];
  const select = selectStored(value.schema, full);
  const statement = statementOf(
    (bind) => `${select} where id = any(${bind(formatArray(ids), "text[]")})`,
  );
  const existing = holdRows(value, await session.query(statement));
  digest.subtract(existing);
  return existing;
}

/** Files are inserted before the records that refer to them. */
const CREATE_CONTENTS: Statement = plain(
  "create temp table twinbase_contents (hash text primary key, content text) on commit drop",
);

function insertContent([hash, content]: Content): Statement {
  return statementOf(
    (bind) =>
      `insert into pg_temp.twinbase_contents values (${bind(hash)}, ${bind(content)}) on conflict do nothing`,
  );
}

async function readContents(session: Session, hashes: readonly string[]): Promise<Content[]> {
  const statement = statementOf(
    (bind) =>
      `select hash, content from pg_temp.twinbase_contents where hash = any(${bind(formatArray(hashes), "text[]")})`,
  );
  const rows = await session.query(statement);
  return rows.map(([hash, content]) => [hash ?? "", content ?? ""]);
}

async function writeRecords(
  session: Session,
  { full, ...table }: PlacedTable,
  before: TableVersion,
  after: TableVersion,
  form: RowForm,
): Promise<void> {
  try {
    for (const { statement } of flushRows({ name: full, before, after }, form)) {
      await session.query(statement);
    }
  } catch (error) {
    if (!(error instanceof Error) || error instanceof TwinbaseError) throw error;
    // The database was empty, so a duplicate comes from the export.
    const isTwice = codeOf(error) === "23505";
    if (failureOf(error) !== undefined && !isTwice) throw error;
    refuse("invalid_request", `${placeOf(table)}: ${error.message}`);
  }
}

/** Reads a table back and compares it with what was written. */
async function readAgain(session: Session, table: PlacedTable, given: Digest): Promise<Digest> {
  const { full, value } = table;
  const found = new Digest();
  for await (const records of readInBatches(session, full, value)) found.add(records);
  if (found.count !== given.count || found.hash !== given.hash) {
    const counts = `${found.count} records were read of ${given.count}`;
    const fault = found.count === given.count ? "the copy differs from the source" : counts;
    refuse("invalid_request", `${placeOf(table)}: ${fault}`);
  }
  // Lists and JSON have no unique index (T-16).
  for (const column of value.schema.constraints.uniques) {
    if (hasUniqueIndex(column.type)) continue;
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

/** An order-independent hash of records. */
class Digest {
  count = 0;
  #sum = 0n;

  get hash(): string {
    return this.#sum.toString(16).padStart(64, "0");
  }

  add(records: TableVersion): void {
    for (const row of encodeRows(records).values()) this.#add(1, hashOf(JSON.stringify(row)));
  }

  subtract(records: TableVersion): void {
    for (const row of encodeRows(records).values()) this.#add(-1, -hashOf(JSON.stringify(row)));
  }

  join(other: Digest): void {
    this.#add(other.count, hashOf(other.hash));
  }

  #add(count: number, hash: bigint): void {
    this.count += count;
    this.#sum = BigInt.asUintN(256, this.#sum + hash);
  }
}

function hashOf(text: string): bigint {
  const bytes = sha256(new TextEncoder().encode(text));
  return BigInt(`0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`);
}
