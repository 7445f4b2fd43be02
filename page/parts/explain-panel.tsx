import type { VNode } from "preact";
import type { PlanDescription, QueryRequest } from "../../src/types.js";
import { controlIn, servicePath } from "../state/api.js";
import { tree } from "../state/catalog.js";
import { useLoad } from "../state/load.js";
import { place } from "../state/place.js";
import { showNumber } from "../state/text.js";
import { Json, Samples } from "./code.jsx";
import { Fault } from "./field.jsx";

const ACCESS: Readonly<Record<PlanDescription["access"]["kind"], string>> = {
  ids: "by the ids that the filter names",
  "unique-index": "by the index of a unique column",
  "link-index": "by an index of a link",
  "order-index": "along an index of the order",
  "storage-order": "in the order they are stored in",
  scan: "by looking at every record",
};

/** How the query at hand is answered, and the same query in code. */
export function ExplainPanel({
  workspace,
  path,
  query,
  version,
}: {
  workspace: string;
  /** Of the table, below the service. */
  path: string;
  query: QueryRequest;
  version: number;
}): VNode {
  const { value: plan, error } = useLoad<PlanDescription>(
    (signal) => controlIn(workspace, "POST", `${path}/explain`, { body: query, signal }),
    [workspace, path, query, version],
  );
  const [, database, branch, table] = place.value.address;
  const isOnly = (tree.value ?? []).filter((of) => of.database === database).length === 1;
  const call = {
    method: "POST",
    path: servicePath(workspace, isOnly, `${path}/query`),
    search: "",
    operation: "queryTable",
    workspace,
    database,
    branch,
    table,
    request: query,
  };
  return (
    <section class="panel" aria-label="Explain">
      <Fault error={error} />
      {plan !== undefined && (
        <p>
          Records are found <strong>{ACCESS[plan.access.kind] ?? plan.access.kind}</strong>: about{" "}
          {showNumber(Math.round(plan.estimate.examined))} are looked at for{" "}
          {showNumber(Math.round(plan.estimate.rows))}.
        </p>
      )}
      <Samples call={call} />
      {plan !== undefined && (
        <details>
          <summary>The whole plan</summary>
          <Json label="Plan" value={plan} />
        </details>
      )}
    </section>
  );
}
