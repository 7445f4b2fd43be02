export interface Access {
  readonly key: string;
  readonly version: number;
  readonly value: number;
}

export interface Transaction {
  readonly client: number;
  readonly sent: number;
  readonly answered: number;
  /** `unknown`: without an answer, so it may have been committed. */
  readonly end: "committed" | "refused" | "unknown";
  readonly reads: readonly Access[];
  /** The last write of each key; only committed transactions know the version. */
  readonly writes: readonly Access[];
  /** Values that the transaction overwrote itself, or that a rejected one tried to write. */
  readonly hidden: readonly number[];
}

export interface Anomaly {
  readonly message: string;
  readonly transactions: readonly Transaction[];
}

/** A dependency: `from` must precede `to`. */
interface Edge {
  readonly from: Transaction;
  readonly to: Transaction;
  /** `to` overwrote `from`, read its write, overwrote what it read, or began after its end. */
  readonly kind: "write-write" | "write-read" | "read-write" | "time";
  /** The record that proves it; empty for `time`. */
  readonly key: string;
}

/**
 * Returns the first violation of strict serializability: a forbidden value, or a dependency cycle.
 * The versions of records order their writes.
 */
export function findAnomaly(history: readonly Transaction[]): Anomaly | undefined {
  return findHiddenRead(history) ?? findTwoValues(history) ?? findCycle(history);
}

function findHiddenRead(history: readonly Transaction[]): Anomaly | undefined {
  for (const reader of history) {
    for (const { key, value } of reader.reads) {
      const writer = history.find(({ hidden }) => hidden.includes(value));
      if (writer === undefined || writer === reader) continue;
      const what =
        writer.end === "refused"
          ? "a dirty read: a failed transaction wrote"
          : "a torn transaction: another overwrote";
      return {
        message: `${what} the value ${value} that was read of ${key}`,
        transactions: [writer, reader],
      };
    }
  }
  return undefined;
}

function findTwoValues(history: readonly Transaction[]): Anomaly | undefined {
  const known = new Map<string, { readonly value: number; readonly by: Transaction }>();
  const writers = new Map<string, Transaction>();
  for (const by of history) {
    for (const { key, version, value } of by.end === "committed" ? by.writes : []) {
      const other = writers.get(`${key} ${version}`);
      const message = `a lost update: two transactions wrote version ${version} of ${key}`;
      if (other !== undefined) return { message, transactions: [other, by] };
      writers.set(`${key} ${version}`, by);
      known.set(`${key} ${version}`, { value, by });
    }
  }
  for (const by of history) {
    for (const { key, version, value } of by.reads) {
      const other = known.get(`${key} ${version}`) ?? { value, by };
      const message = `version ${version} of ${key} was seen with two values, ${other.value} and ${value}`;
      if (other.value !== value) return { message, transactions: [other.by, by] };
      known.set(`${key} ${version}`, other);
    }
  }
  return undefined;
}

function findCycle(history: readonly Transaction[]): Anomaly | undefined {
  const edges = findEdges(history);
  for (const { kinds, name } of CYCLES) {
    const cycle = findShortestCycle(edges.filter(({ kind }) => kinds.includes(kind)));
    if (cycle === undefined) continue;
    return {
      message: `${name}: ${cycle.map(describeEdge).join("; ")}`,
      transactions: cycle.map(({ from }) => from),
    };
  }
  return undefined;
}

/** Kinds of cycles, the most specific first. */
const CYCLES: readonly { readonly kinds: readonly Edge["kind"][]; readonly name: string }[] = [
  { kinds: ["write-write"], name: "mixed writes" },
  { kinds: ["write-write", "write-read"], name: "a circular read" },
  { kinds: ["write-write", "write-read", "read-write"], name: "a torn transaction" },
  { kinds: ["write-write", "write-read", "read-write", "time"], name: "a stale read" },
];

function describeEdge({ kind, key, from, to }: Edge): string {
  const [earlier, later] = [`client ${from.client}`, `client ${to.client}`];
  switch (kind) {
    case "write-write":
      return `${later} wrote ${key} after ${earlier}`;
    case "write-read":
      return `${later} read what ${earlier} wrote to ${key}`;
    case "read-write":
      return `${later} wrote ${key} after ${earlier} read it`;
    case "time":
      return `${later} began after the end of ${earlier}`;
  }
}

function findEdges(history: readonly Transaction[]): Edge[] {
  const happened = withKnownVersions(history);
  const edges: Edge[] = [];
  const add = (kind: Edge["kind"], key: string, from: Transaction, to?: Transaction): void => {
    if (to !== undefined && to !== from) edges.push({ kind, key, from, to });
  };
  const keys = new Set(happened.flatMap(({ writes }) => writes.map(({ key }) => key)));
  for (const key of keys) {
    const writes = happened
      .flatMap((by) => by.writes.map((write) => ({ ...write, by })))
      .filter((write) => write.key === key)
      .sort((a, b) => a.version - b.version);
    const nextWriter = (version: number): Transaction | undefined =>
      writes.find((write) => write.version > version)?.by;
    for (const { by, version } of writes) add("write-write", key, by, nextWriter(version));
    for (const reader of happened) {
      for (const { version } of reader.reads.filter((read) => read.key === key)) {
        const writer = writes.find((write) => write.version === version)?.by;
        if (writer !== undefined) add("write-read", key, writer, reader);
        add("read-write", key, reader, nextWriter(version));
      }
    }
  }
  for (const from of happened) {
    for (const to of happened) if (from.answered < to.sent) add("time", "", from, to);
  }
  return edges;
}

/** Committed transactions; the versions of unknown ones are derived from reads. */
function withKnownVersions(history: readonly Transaction[]): Transaction[] {
  const reads = history.flatMap((transaction) => transaction.reads);
  return history.flatMap((transaction) => {
    if (transaction.end === "committed") return [transaction];
    const writes = transaction.writes.flatMap(
      ({ key, value }) => reads.find((read) => read.key === key && read.value === value) ?? [],
    );
    return writes.length === 0 ? [] : [{ ...transaction, writes }];
  });
}

function findShortestCycle(edges: readonly Edge[]): Edge[] | undefined {
  const leaving = new Map<Transaction, Edge[]>();
  for (const edge of edges) leaving.set(edge.from, [...(leaving.get(edge.from) ?? []), edge]);
  let shortest: Edge[] | undefined;
  for (const start of leaving.keys()) {
    const reached = new Map<Transaction, Edge>();
    const waiting = [start];
    for (let at = waiting.shift(); at !== undefined && !reached.has(start); at = waiting.shift()) {
      for (const edge of leaving.get(at) ?? []) {
        if (reached.has(edge.to)) continue;
        reached.set(edge.to, edge);
        waiting.push(edge.to);
      }
    }
    const cycle: Edge[] = [];
    for (let edge = reached.get(start); edge !== undefined; edge = reached.get(edge.from)) {
      cycle.unshift(edge);
      if (edge.from === start) break;
    }
    if (cycle.length > 0 && cycle.length < (shortest?.length ?? Infinity)) shortest = cycle;
  }
  return shortest;
}
