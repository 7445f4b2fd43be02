import type { At } from "../../errors.js";
import { leavesOf } from "../../schema/columns.js";
import { isJsonPath, type Ref } from "../bound/column-ref.js";
import { refuseFilter } from "./literal.js";

/** Throws for paths that a search store lacks: through links and into json (rule Q-7). */
export function requireReach(ref: Ref, at: At): void {
  const kind = ref.hops.length > 0 ? "through a link" : isJsonPath(ref) ? "into json" : undefined;
  if (kind === undefined) return;
  refuseFilter(`column [${ref.path}]: a search or aggregation takes no path ${kind}`, at, "Q-7");
}

/** Throws for an object with a list, which is compared with it (rule Q-7). */
export function requireNoListIn(ref: Ref, at: At): void {
  if (ref.type !== "object") return;
  for (const leaf of ref.columns.flatMap(leavesOf)) requireNoList(leaf, at);
}

/** Throws for a list: a search store only knows whether it is null (rule Q-7). */
export function requireNoList(
  { type, path }: { readonly type: string; readonly path: string },
  at: At,
): void {
  if (type !== "multiple") return;
  const expected = "of a list, a search or aggregation takes only $exists and $notExists";
  refuseFilter(`column [${path}]: ${expected}`, at, "Q-7");
}
