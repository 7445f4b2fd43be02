import type { AnyEngine } from "../engine.js";
import { formatInstant } from "../value/datetime.js";

interface Hour {
  readonly start: number;
  reads: number;
  writes: number;
}

/** Counts requests to the records of branches, by hour (rule K-4). */
export interface BranchStats {
  readonly count: (branch: string, kind: "reads" | "writes", now: number) => void;
  /** Deletes the counts of all branches with a key prefix: of a branch, database or workspace. */
  readonly forget: (beginning: string) => void;
  readonly move: (beginning: string, next: string) => void;
  readonly describe: (branch: string, records: number, now: number) => object;
}

export function placeOf(address: {
  readonly workspace: string | undefined;
  readonly names: Readonly<Record<string, string>>;
}): string {
  return `${placesIn(address.workspace)}${address.names.db_branch_name}/`;
}

/** Returns the key prefix of a workspace, or of one of its databases. */
export function placesIn(workspace: string | undefined, database?: string): string {
  return database === undefined ? `${workspace}/` : `${workspace}/${database}:`;
}

const statsByEngine = new WeakMap<AnyEngine, BranchStats>();

/** Returns the counts of an engine, shared by all its handlers. */
export function statsOf(engine: AnyEngine): BranchStats {
  const stats = statsByEngine.get(engine) ?? createBranchStats();
  statsByEngine.set(engine, stats);
  return stats;
}

const HOUR_MS = 3_600_000;
const MAX_HOURS = 24;

function createBranchStats(): BranchStats {
  const hoursByBranch = new Map<string, Hour[]>();
  const take = (beginning: string): [place: string, hours: Hour[]][] => {
    const taken = Array.from(hoursByBranch).filter(([place]) => place.startsWith(beginning));
    for (const [place] of taken) hoursByBranch.delete(place);
    return taken;
  };
  return {
    count(branch, kind, now) {
      const start = Math.floor(now / HOUR_MS) * HOUR_MS;
      const hours = hoursByBranch.get(branch) ?? [];
      hoursByBranch.set(branch, hours);
      if (hours.at(-1)?.start !== start) hours.push({ start, reads: 0, writes: 0 });
      if (hours.length > MAX_HOURS) hours.shift();
      hours.at(-1)![kind]++; // never empty
    },
    forget: (beginning) => void take(beginning),
    move(beginning, next) {
      for (const [branch, hours] of take(beginning)) {
        hoursByBranch.set(next + branch.slice(beginning.length), hours);
      }
    },
    describe(branch, records, now) {
      const timestamp = format(now);
      const hours = (hoursByBranch.get(branch) ?? []).filter(
        ({ start }) => start > now - MAX_HOURS * HOUR_MS,
      );
      const series = (kind: "reads" | "writes") =>
        hours.map((hour) => ({ timestamp: format(hour.start), value: hour[kind] }));
      return {
        timestamp,
        interval: "24h",
        resolution: "1h",
        numberOfRecords: [{ timestamp, value: records }],
        readsOverTime: series("reads"),
        writesOverTime: series("writes"),
      };
    },
  };
}

function format(ms: number): string {
  return formatInstant(Math.floor(ms), 0);
}
