import type { CatalogState } from "../catalog/state.js";
import type { EngineContents, EngineSetup } from "../engine/setup.js";
import { refuse } from "../errors.js";
import { type Statement, statementOf } from "../sql/statement.js";
import { writeAccounts, writeDatabase } from "./documents.js";
import { plain, type Session } from "./driver.js";
import { ACCOUNTS, CATALOG, DOCUMENTS } from "./layout.js";
import { type Placement, writeTables } from "./placement.js";
import type { SchemaChange } from "./schema-change.js";

interface Position {
  readonly version: number;
  readonly tablesMade: number;
  readonly namesMade: number;
}

export interface Contents extends Position {
  readonly state: CatalogState;
  readonly tables: EngineContents["tables"];
  readonly tableKeys: number;
  readonly placements: ReadonlyMap<string, Placement>;
  /** Databases whose documents cannot be read, which are left out; they stay as they are. */
  readonly damaged: ReadonlyMap<string, unknown>;
}

export function writeCatalog(
  setup: EngineSetup,
  known: Contents,
  contents: Contents,
  { changed }: SchemaChange,
): Statement[] {
  const { version, tablesMade, namesMade, placements } = contents;
  const statements: Statement[] = [];
  const put = (key: string, number: number, placement: Placement | undefined, content: string) => {
    const statement = statementOf((bind) => {
      const values = [
        bind(key),
        bind(String(version), "bigint"),
        bind(String(number), "bigint"),
        bind(placement?.schema ?? null),
        bind(placement === undefined ? null : writeTables(placement.tables), "json"),
        bind(content),
      ];
      return `insert into ${DOCUMENTS} as d (key, version, place, schema, tables, content) values (${values.join(", ")}) on conflict (key) do update set version = excluded.version, place = excluded.place, schema = excluded.schema, tables = excluded.tables, content = excluded.content`;
    });
    statements.push(statement);
  };
  for (const [key, content] of documentsOf(setup, known, contents, changed)) {
    const placement = placements.get(key);
    put(key, placement?.number ?? 0, placement, content);
  }
  for (const key of known.placements.keys()) {
    if (placements.has(key)) continue;
    statements.push(statementOf((bind) => `delete from ${DOCUMENTS} where key = ${bind(key)}`));
  }
  statements.push(
    statementOf((bind) => {
      const [next, tables, names] = [version, tablesMade, namesMade].map((count) =>
        bind(String(count), "bigint"),
      );
      return `update ${CATALOG} set version = ${next}, tables_made = ${tables}, names_made = ${names}`;
    }),
  );
  return statements;
}

/** The changed documents, by key. */
export function* documentsOf(
  setup: EngineSetup,
  known: Contents,
  { state, tables }: Contents,
  changed: SchemaChange["changed"],
): Generator<readonly [key: string, content: string]> {
  const accounts = writeAccounts(setup, state);
  if (accounts !== writeAccounts(setup, known.state)) yield [ACCOUNTS, accounts];
  for (const [key, database] of changed) {
    const name = key.slice(key.indexOf("/") + 1);
    yield [key, writeDatabase(setup, [name, database], tables)];
  }
}

/** Throws `invalid_request` unless these documents are stored. */
export async function requireDocuments(
  session: Session,
  documents: ReturnType<typeof documentsOf>,
): Promise<void> {
  const rows = await session.query(plain(`select key, content from ${DOCUMENTS}`));
  const stored = new Map(rows.map(([key, content]) => [key, content]));
  for (const [key, content] of documents) {
    if (stored.get(key) === content) continue;
    refuse("invalid_request", `database [${key}]: the copy of its schemas differs from the source`);
  }
}
