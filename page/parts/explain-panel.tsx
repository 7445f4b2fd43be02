import type { VNode } from "preact";
import type { PlanDescription, QueryRequest } from "../../src/types.js";
import { controlIn } from "../state/api.js";
import { useLoad } from "../state/load.js";
import { sampleCall } from "../state/sample-call.js";
import { showNumber } from "../state/text.js";
import { Json, Samples } from "./code.jsx";
import { Fault } from "./field.jsx";

const ACCESS: Readonly<Record<PlanDescription["access"]["kind"], string>> = {
  ids: "Lookup by id",
  "unique-index": "Lookup in a unique index",
  "link-index": "Lookup in a link index",
  "order-index": "Index scan in sort order",
  "storage-order": "Scan in storage order",
  scan: "Full table scan",
};

/** The plan of the current query, and the same query in code. */
export function ExplainPanel({
  workspace,
  path,
  query,
  version,
}: {
  workspace: string;
  /** Path of the table, below the service. */
  path: string;
  query: QueryRequest;
  version: number;
}): VNode {
  const { value: plan, error } = useLoad<PlanDescription>(
    (signal) => controlIn(workspace, "POST", `${path}/explain`, { body: query, signal }),
    [workspace, path, query, version],
  );
  const call = sampleCall("queryTable", `${path}/query`, query);
  return (
    <section class="panel" aria-label="Explain">
      <Fault error={error} />
      {plan !== undefined && (
        <p>
          <strong>{ACCESS[plan.access.kind] ?? plan.access.kind}</strong>: an estimated{" "}
          {showNumber(Math.round(plan.estimate.examined))} records read,{" "}
          {showNumber(Math.round(plan.estimate.rows))} returned.
        </p>
      )}
      <Samples call={call} />
      {plan !== undefined && (
        <details>
          <summary>Query plan</summary>
          <Json label="Plan" value={plan} />
        </details>
      )}
    </section>
  );
}
