import type { TableAddress } from "../catalog/address.js";
import { drawSeed, openRun } from "../engine/query-run.js";
import { bindQuery } from "../query/bind/bind-query.js";
import type { BoundQuery } from "../query/bound/bound-query.js";
import { pageRows, rowsOf } from "../query/page.js";
import { type Demand, demandsOf } from "../sql/demand.js";
import { indexDefinition, indexName } from "../sql/index-text.js";
import type { UnfilledRecord } from "../sql/project.js";
import {
  type CompileContext,
  compileReverse,
  compileRows,
  type FoundRow,
  type RowsQuery,
} from "../sql/select.js";
import { statementOf } from "../sql/statement.js";
import type { AnyRecord, QueryRequest, QueryResult } from "../types.js";
import {
  type Backend,
  gated,
  type OpenBranch,
  openBranch,
  queryAt,
  readFor,
  withCatalog,
} from "./backend.js";
import type { Session } from "./driver.js";
import { tableIn } from "./placement.js";

/** Runs a query of a table. Throws as sections P, F, S and G say, and `unavailable`. */
export async function queryTable(
  backend: Backend,
  address: TableAddress,
  request: unknown,
): Promise<QueryResult> {
  const { branch, query, compiling } = bindFor(backend, address, request);
  backend.advisor.note(demandsOfQuery(query, compiling), compiling.tableOf);
  const answer = (session: Session): Promise<QueryResult> =>
    answerQuery({ session, branch, compiling }, query);
  return readFor(backend, (request ?? {}) as QueryRequest, (access) =>
    // Several statements need one snapshot.
    query.selection.reverse.length > 0 ? access.transact("snapshot", answer) : answer(access),
  );
}

function bindFor(backend: Backend, address: TableAddress, request: unknown): PreparedQuery {
  const branch = openBranch(backend, address);
  // Each query draws a seed (S-4); changes of the branch are discarded.
  const run = openRun(branch.context, address, {
    drawSeed: () => drawSeed(backend.catalog.context),
  });
  const query = bindQuery(run, request);
  return { branch, query, compiling: compilingFor(backend, branch) };
}

interface PreparedQuery {
  readonly branch: OpenBranch;
  readonly query: BoundQuery;
  readonly compiling: CompileContext;
}

/** The plan of a query. */
export interface QueryExplanation {
  /** The statement, with `$1`, `$2` … for the values of the request. */
  readonly statement: string;
  /** The output of PostgreSQL's `explain`, by lines. */
  readonly plan: readonly string[];
  readonly indexes: readonly { readonly definition: string; readonly isThere: boolean }[];
}

/** Explains a query and the indexes that it could use. Throws like {@link queryTable}. */
export function explainTableQuery(
  backend: Backend,
  address: TableAddress,
  request: unknown,
): Promise<QueryExplanation> {
  return withCatalog(backend, async () => {
    const { branch, query, compiling } = bindFor(backend, address, request);
    const rowsQuery = { identity: query.table.identity, ...rowsOf(query) };
    const { text, values } = gated(branch.placement, compileRows(compiling, rowsQuery).statement);
    const rows = await backend.driver.query({ text: `explain ${text}`, values });
    const indexes = new Map<string, { definition: string; isThere: boolean }>();
    for (const { identity, shape } of demandsOfQuery(query, compiling)) {
      const table = compiling.tableOf(identity);
      const [schema = "", plainName = ""] = table.split(".");
      const name = `${schema}.${indexName(plainName, shape)}`;
      const found = await backend.driver.query(
        statementOf(
          (bind) =>
            `select 1 from pg_index where indexrelid = to_regclass(${bind(name)}) and indisvalid`,
        ),
      );
      const definition = indexDefinition(table, shape, compiling.dialect);
      indexes.set(name, { definition, isThere: found.length > 0 });
    }
    return {
      statement: text,
      plan: rows.map(([line]) => line ?? ""),
      indexes: [...indexes.values()],
    };
  });
}

function demandsOfQuery(query: BoundQuery, compiling: CompileContext): Demand[] {
  const { table, selection } = query;
  return [
    ...demandsOf({ identity: table.identity, ...query }, compiling),
    ...selection.reverse.map(({ table: { identity }, link }): Demand => {
      const keys = [{ slot: link.slot, descending: false }];
      return { identity, shape: { kind: "order", keys } };
    }),
  ];
}

/** State of a running query. */
export interface OpenQuery {
  readonly session: Session;
  readonly branch: OpenBranch;
  readonly compiling: CompileContext;
}

export function compilingFor({ catalog, driver }: Backend, branch: OpenBranch): CompileContext {
  const { address, context, placement } = branch;
  const schemas = new Map(
    Array.from(context.readBranch(address).tables.values(), (key) => {
      const { identity, schema } = context.tableAt(key);
      return [identity, schema];
    }),
  );
  return {
    profile: catalog.context.profile,
    dialect: driver.dialect,
    tableOf: (identity) => tableIn(placement, address, identity),
    showFiles: context.files?.openBranch(context, address),
    schemaOf: (identity) => schemas.get(identity)!, // the query was bound to these tables
  };
}

async function answerQuery(answering: OpenQuery, query: BoundQuery): Promise<QueryResult> {
  const { identity } = query.table;
  const unfilled: UnfilledRecord[] = [];
  const paging = pageRows<FoundRow>(query, ({ keys }) => keys);
  let step = paging.next();
  while (step.done !== true) {
    step = paging.next(await findRows(answering, { identity, ...step.value }, unfilled));
  }
  const { rows, page } = step.value;
  await fillReverse(answering, unfilled);
  return { records: rows.map(({ record }) => record), meta: { page } };
}

async function findRows(
  { session, branch, compiling }: OpenQuery,
  wanted: RowsQuery,
  unfilled: UnfilledRecord[],
): Promise<FoundRow[]> {
  const { statement, read } = compileRows(compiling, wanted);
  const rows = await queryAt(session, branch.placement, statement);
  return rows.map((row) => read(row, unfilled));
}

/** Loads reverse links, which contain no further ones (P-11). */
async function fillReverse(
  { session, branch, compiling }: OpenQuery,
  unfilled: readonly UnfilledRecord[],
): Promise<void> {
  for (const choice of new Set(unfilled.map((waiting) => waiting.choice))) {
    const waiting = unfilled.filter((other) => other.choice === choice);
    const ids = waiting.map(({ id }) => id);
    const { statement, read } = compileReverse(compiling, choice, ids);
    const lists: AnyRecord[][] = waiting.map(() => []);
    for (const row of await queryAt(session, branch.placement, statement)) {
      const { to, record } = read(row, []);
      lists[to]?.push(record);
    }
    for (const [i, { record }] of waiting.entries()) record[choice.name] = { records: lists[i] };
  }
}
