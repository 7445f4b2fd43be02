import type { Charge, Memory } from "../../engine/memory.js";
import type { Snapshot } from "../../engine/snapshot.js";
import { sizeBeyond } from "../../engine/snapshot-size.js";
import { describe, refuse } from "../../errors.js";

/** The least that a snapshot is charged. */
const SNAPSHOT_BYTES = 16 * 1024;

interface Taken {
  readonly snapshot: Snapshot;
  /** By the machine's clock, in milliseconds. */
  readonly at: number;
  readonly charge: Charge;
}

/**
 * Snapshots by name, oldest first. Each is charged what it holds beyond the next one, when that is taken:
 * the last one shares its chunks with the data.
 */
export class Snapshots {
  readonly taken: Map<string, Taken> = new Map();
  readonly #memory: Memory;

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  /** Replaces a snapshot of the same name. Throws `unavailable` if the account has no room. */
  take(name: string, snapshot: Snapshot): void {
    const charge = this.#memory.charge("snapshots");
    charge.set(SNAPSHOT_BYTES);
    const former = this.taken.get(name);
    const last = [...this.taken.values()].filter((one) => one !== former).at(-1);
    try {
      if (last !== undefined) chargeBeyond(last, snapshot);
    } catch (error) {
      charge.set(0);
      throw error;
    }
    if (former !== undefined) this.delete(name);
    this.taken.set(name, { snapshot, at: Date.now(), charge });
  }

  find(name: string): Snapshot {
    return this.#find(name).snapshot;
  }

  delete(name: string): void {
    const found = this.#find(name);
    const all = [...this.taken.values()];
    const at = all.indexOf(found);
    const [before, after] = [all[at - 1], all[at + 1]];
    this.taken.delete(name);
    found.charge.set(0);
    if (before !== undefined && after !== undefined) chargeBeyond(before, after.snapshot);
  }

  #find(name: string): Taken {
    return (
      this.taken.get(name) ??
      refuse("route_not_found", `snapshot ${describe(name)} not found`, { rule: "E-3" })
    );
  }
}

function chargeBeyond({ snapshot, charge }: Taken, next: Snapshot): void {
  charge.set(SNAPSHOT_BYTES + sizeBeyond(snapshot, next));
}
