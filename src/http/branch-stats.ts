import type { AnyEngine } from "../engine.js";
import { formatInstant } from "../value/datetime.js";

interface Hour {
  readonly start: number;
  reads: number;
  writes: number;
}

/** Counts the requests that reach the records of branches, hour by hour (rule K-4). */
export interface BranchStats {
  readonly count: (branch: string, kind: "reads" | "writes", now: number) => void;
  readonly forget: (branch: string) => void;
  readonly move: (beginning: string, next: string) => void;
  readonly describe: (branch: string, records: number, now: number) => object;
}

export function placeOf(address: {
  readonly workspace: string | undefined;
  readonly names: Readonly<Record<string, string>>;
}): string {
  return `${address.workspace}/${address.names.db_branch_name}`;
}

export function placesIn(workspace: string, database: string): string {
  return `${workspace}/${database}:`;
}

const statsByEngine = new WeakMap<AnyEngine, BranchStats>();

/** One set of counts for all handlers of an engine. */
export function statsOf(engine: AnyEngine): BranchStats {
  const stats = statsByEngine.get(engine) ?? createBranchStats();
  statsByEngine.set(engine, stats);
  return stats;
}

const HOUR_MS = 3_600_000;
const MAX_HOURS = 24;

function createBranchStats(): BranchStats {
  const hoursByBranch = new Map<string, Hour[]>();
  return {
    count(branch, kind, now) {
      const start = Math.floor(now / HOUR_MS) * HOUR_MS;
      const hours = hoursByBranch.get(branch) ?? [];
      hoursByBranch.set(branch, hours);
      if (hours.at(-1)?.start !== start) hours.push({ start, reads: 0, writes: 0 });
      if (hours.length > MAX_HOURS) hours.shift();
      hours.at(-1)![kind]++; // there is one
    },
    forget(branch) {
      hoursByBranch.delete(branch);
    },
    move(beginning, next) {
      for (const [place, hours] of [...hoursByBranch]) {
        if (!place.startsWith(beginning)) continue;
        hoursByBranch.delete(place);
        hoursByBranch.set(next + place.slice(beginning.length), hours);
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
