import type { Snapshot } from "../../engine/snapshot.js";
import { describe, refuse } from "../../errors.js";

/** The snapshot that was taken under a name; throws `route_not_found`. */
export function findSnapshot(snapshots: ReadonlyMap<string, Snapshot>, name: string): Snapshot {
  return (
    snapshots.get(name) ??
    refuse("route_not_found", `snapshot ${describe(name)} not found`, { rule: "E-3" })
  );
}
