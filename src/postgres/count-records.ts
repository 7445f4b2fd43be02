import type { BranchAddress, TableAddress } from "../catalog/address.js";
import { openRun } from "../engine/query-run.js";
import { bindAggregate } from "../query/aggregate/aggregate.js";
import { BY_ID, type Predicate } from "../query/bound/bound-query.js";
import { demandsOf } from "../sql/demand.js";
import { compileCounts } from "../sql/select.js";
import type { Json } from "../types.js";
import { type Backend, openBranch, queryAt, readFor } from "./backend.js";
import { plain } from "./driver.js";
import { tableIn } from "./placement.js";
import { compilingFor } from "./query-table.js";

/** Answers aggregations that only count; undefined for others. Throws as rule X-6 says. */
export async function countRecordsWhere(
  backend: Backend,
  address: TableAddress,
  request: { readonly consistency?: unknown },
): Promise<Readonly<Record<string, Json>> | undefined> {
  const branch = openBranch(backend, address);
  const run = openRun(branch.context, address);
  const { predicate, aggregations } = bindAggregate(run, request);
  const counted: Predicate[] = [];
  for (const aggregation of aggregations.values()) {
    if (aggregation.kind !== "count") return undefined;
    counted.push(aggregation.predicate);
  }
  const compiling = compilingFor(backend, branch);
  const { identity } = run.table;
  backend.advisor.note(
    demandsOf({ identity, predicate, order: BY_ID }, compiling),
    compiling.tableOf,
  );
  const statement = compileCounts(compiling, identity, predicate, counted);
  const [row] = await readFor(backend, request, (access) =>
    queryAt(access, branch.placement, statement),
  );
  return Object.fromEntries(
    [...aggregations.keys()].map((name, i) => [name, Number(row?.[i + 1])]),
  );
}

export async function countBranch(backend: Backend, address: BranchAddress): Promise<number> {
  const { context, placement } = openBranch(backend, address);
  const tables = Array.from(context.readBranch(address).tables.values(), (key) =>
    tableIn(placement, address, context.tableAt(key).identity),
  );
  if (tables.length === 0) return 0;
  const counts = tables.map((table) => `(select count(*) from ${table})`);
  const [row] = await queryAt(
    backend.driver,
    placement,
    plain(`select ${counts.join(" + ")} as n`),
  );
  return Number(row?.[0]);
}
