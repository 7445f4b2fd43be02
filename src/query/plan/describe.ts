import type { PlanDescription } from "../../types.js";
import { describeOrder, describePredicate } from "../bound/describe.js";
import type { Access, Plan } from "./plan.js";

/** A plan as `explain` tells it. */
export function describePlan(plan: Plan, tableSize: number): PlanDescription {
  const { access, limit } = plan;
  const examined = access.kind === "ids" ? access.ids.length : tableSize;
  return {
    access: describeAccess(access),
    residual: describePredicate(plan.residual),
    order: describeOrder(plan.order),
    limit,
    estimate: { examined, rows: Math.min(limit, examined) },
  };
}

function describeAccess(access: Access): PlanDescription["access"] {
  switch (access.kind) {
    case "ids":
      return { kind: "ids", ids: access.ids.length };
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
