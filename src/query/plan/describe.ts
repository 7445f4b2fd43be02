import type { PlanDescription } from "../../types.js";
import { describeOrder, describePredicate } from "../bound/describe.js";
import type { Source } from "../source.js";
import { estimatePlan } from "./estimate.js";
import type { Access, Plan } from "./plan.js";

/** A plan as `explain` tells it. */
export function describePlan(source: Source, plan: Plan): PlanDescription {
  return {
    access: describeAccess(plan.access),
    residual: describePredicate(plan.residual),
    order: describeOrder(plan.order),
    limit: plan.limit,
    estimate: estimatePlan(source, plan),
  };
}

function describeAccess(access: Access): PlanDescription["access"] {
  switch (access.kind) {
    case "ids":
      return { kind: "ids", ids: access.ids.length };
    case "unique-index":
      return { kind: "unique-index", column: access.column, ids: access.keys.length };
    case "storage-order":
      return { kind: "storage-order", backward: access.backward };
    case "link-index": {
      const { kind, column, codes, sorted } = access;
      return { kind, column, ids: codes.length, sorted: sorted !== undefined };
    }
    case "order-index":
    case "scan":
      return { kind: access.kind };
  }
}
