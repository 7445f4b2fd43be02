import type { Demand } from "../sql/demand.js";
import { INDEX_NAMES, indexDefinition, indexName, TRIGRAMS } from "../sql/index-text.js";
import { type Statement, statementOf } from "../sql/statement.js";
import { writeSize } from "./citus.js";
import { type Driver, MAINTENANCE, plain, type Session } from "./driver.js";
import { codeOf } from "./failure.js";
import { DEMAND } from "./layout.js";
import { UnfitIndexError } from "./write.js";

/** Whether to create indexes for frequent queries, or only to report them. */
export type IndexAdvice = "auto" | "never";

/** Requests after which an index is created and reported; reported again at each power of ten. */
const OFTEN = 10;
const MAX_INDEXES = 8;
/** Smaller tables, in bytes, are scanned as fast. */
const SMALL = 65_536;
/** SQLSTATEs of interrupted statements: canceled, deadlock, lock timeout. */
const BROKEN_OFF: ReadonlySet<unknown> = new Set(["57014", "40P01", "55P03"]);
const MAX_COUNTED = 2000;

interface WantedIndex {
  readonly schema: string;
  readonly table: string;
  readonly name: string;
  readonly definition: string;
  asked: number;
}

/** Cancels all index builds; they start again when requested again. */
export const BREAK_OFF_INDEXES: Statement = plain(
  `select pg_cancel_backend(pid) from pg_stat_activity where application_name = '${MAINTENANCE}' and datname = current_database()`,
);

async function orderedBy(session: Session, schema: string, table: string): Promise<string[]> {
  const rows = await session.query(
    plain(
      `select indexname from pg_indexes where schemaname = '${schema}' and tablename = '${table}' and indexname ~ '^${table}_o'`,
    ),
  );
  return rows.map(([name]) => name ?? "");
}

export class Advisor {
  readonly #driver: Driver;
  readonly #advice: IndexAdvice;
  readonly #isCluster: boolean;
  readonly #wanted: Map<string, WantedIndex> = new Map();
  #turn: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(driver: Driver, advice: IndexAdvice, cluster: boolean) {
    this.#driver = driver;
    this.#advice = advice;
    this.#isCluster = cluster;
  }

  /** Counts a query; `tableOf` returns the table of an identity as `schema.table`. */
  note(demands: readonly Demand[], tableOf: (identity: string) => string): void {
    for (const { identity, shape } of demands) {
      const full = tableOf(identity);
      const [schema = "", table = ""] = full.split(".");
      const name = indexName(table, shape);
      const key = `${schema}.${name}`;
      let demand = this.#wanted.get(key);
      if (demand === undefined) {
        if (this.#wanted.size === MAX_COUNTED) this.#wanted.clear();
        demand = {
          schema,
          table,
          name,
          definition: indexDefinition(full, shape, this.#driver.dialect),
          asked: 0,
        };
        this.#wanted.set(key, demand);
      }
      demand.asked++;
      const { asked } = demand;
      if (asked >= OFTEN && Number.isInteger(Math.log10(asked))) this.#request(demand);
    }
  }

  idle(): Promise<void> {
    return this.#turn;
  }

  close(): void {
    this.#closed = true;
  }

  /**
   * Drops the indexes that are too small for a written value; returns whether that was the error.
   */
  async dropUnfit(error: unknown): Promise<boolean> {
    if (!(error instanceof UnfitIndexError)) return false;
    const { index } = error;
    const [schema = "", table = ""] = error.table.split(".");
    const names = index === undefined ? await orderedBy(this.#driver, schema, table) : [index];
    for (const name of names) {
      await markUnfit(this.#driver, schema, name);
      await this.#driver.query(plain(`drop index if exists ${schema}.${name}`));
    }
    return names.length > 0;
  }

  #request(wanted: WantedIndex): void {
    this.#turn = this.#turn.then(async () => {
      if (this.#closed) return;
      try {
        await this.#driver.maintain((session) => this.#make(session, wanted));
      } catch (error) {
        // An index is optional: retry interrupted builds soon, failed ones rarely.
        if (BROKEN_OFF.has(codeOf(error))) wanted.asked = 0;
      }
    });
  }

  async #make(session: Session, wanted: WantedIndex): Promise<void> {
    const { schema, table, name, definition } = wanted;
    const isNew = await note(session, wanted);
    if (this.#advice === "never" || !isNew) return;
    const [full, one] = [`'${schema}.${table}'`, `'${schema}.${name}'`];
    const [row] = await session.query(
      plain(
        `select ${writeSize(full, this.#isCluster)}, (select indisvalid from pg_index where indexrelid = to_regclass(${one})), (select count(*) from pg_index i join pg_class c on c.oid = i.indexrelid where i.indrelid = to_regclass(${full}) and c.relname ~ '${INDEX_NAMES}' and c.relname <> '${name}'), pg_try_advisory_lock(hashtextextended(${one}, 0))`,
      ),
    );
    const [size, isValid, count, isOurs] = row ?? [];
    if (isValid === "t") return;
    if (isOurs !== "t") {
      wanted.asked = 0; // another process creates it and may be interrupted
      return;
    }
    if (Number(size) < SMALL || Number(count) >= MAX_INDEXES) return;
    const concurrently = this.#driver.isShared ? "concurrently " : "";
    // An interrupted build leaves an invalid index.
    if (isValid === "f") await session.query(plain(`drop index ${concurrently}${schema}.${name}`));
    if (definition.includes(TRIGRAMS)) {
      await session.query(plain("create extension if not exists pg_trgm"));
    }
    try {
      await session.query(plain(`create index ${concurrently}${name} on ${definition}`));
    } catch (error) {
      if (codeOf(error) === "54000") await markUnfit(session, schema, name);
      throw error;
    }
    await session.query(plain(`analyze ${schema}.${table}`));
  }
}

/** Counts a request; returns whether to create the index. */
async function note(
  session: Session,
  { schema, name, definition, asked }: WantedIndex,
): Promise<boolean> {
  const [row] = await session.query(
    statementOf(
      (bind) =>
        `insert into ${DEMAND} as d (schema, name, definition, asked, unfit) values ('${schema}', '${name}', ${bind(definition)}, ${bind(String(asked), "bigint")}, false) on conflict (schema, name) do update set asked = greatest(d.asked, excluded.asked) returning unfit`,
    ),
  );
  return row?.[0] !== "t";
}

async function markUnfit(session: Session, schema: string, name: string): Promise<void> {
  const text = `update ${DEMAND} set unfit = true where schema = '${schema}' and name = '${name}'`;
  await session.query(plain(text));
}
