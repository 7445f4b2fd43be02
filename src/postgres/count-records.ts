import type { TableAddress } from "../catalog/address.js";
import { queryEnvironment } from "../engine/query-environment.js";
import { bindAggregate } from "../query/aggregate/aggregate.js";
import type { Predicate } from "../query/bound/condition.js";
import { BY_ID } from "../query/bound/order.js";
import { demandsOf } from "../sql/demand.js";
import { compileCounts } from "../sql/select.js";
import type { Json } from "../types.js";
import { type Backend, openBranch, queryAt, readFor, withCatalog } from "./backend.js";
import { compilingFor } from "./query.js";

/**
 * Answers a request to aggregate that asks for counts alone: the database counts.
 *
 * @returns undefined where it asks for something else
 * @throws TwinbaseError as rule X-6 says; `unavailable`
 */
export function countRecords(
  backend: Backend,
  address: TableAddress,
  request: { readonly consistency?: unknown },
): Promise<Readonly<Record<string, Json>> | undefined> {
  return withCatalog(backend, async () => {
    const branch = openBranch(backend, address);
    const table = branch.context.readTable(address);
    const environment = queryEnvironment(branch.context, address);
    const { predicate, aggregations } = bindAggregate(environment, table, request);
    const counted: Predicate[] = [];
    for (const aggregation of aggregations.values()) {
      if (aggregation.kind !== "count") return undefined;
      counted.push(aggregation.predicate);
    }
    const compiling = compilingFor(backend, branch);
    const { identity } = table;
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
  });
}
