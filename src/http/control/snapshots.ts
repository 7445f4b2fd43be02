import type { Snapshot } from "../../engine/snapshot.js";
import { describe, refuse } from "../../errors.js";

export function findSnapshot(snapshots: ReadonlyMap<string, Snapshot>, name: string): Snapshot {
  return (
    snapshots.get(name) ??
    refuse("route_not_found", `snapshot ${describe(name)} not found`, { rule: "E-3" })
  );
}
