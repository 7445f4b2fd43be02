import type { Driver, Session, Transaction, TransactionRunner } from "./driver.js";

/** Work of the database: statements, milliseconds, runs and retries. */
export interface Counts {
  statements: number;
  milliseconds: number;
  /** Runs of requests and transactions, including reruns. */
  runs: number;
  reruns: number;
  reloads: number;
}

export function createCounts(): Counts {
  return { statements: 0, milliseconds: 0, runs: 0, reruns: 0, reloads: 0 };
}

/** Adds separate counts; statements are already in the total. */
export function addCounts(total: Counts, { runs, reruns, reloads }: Counts): void {
  total.runs += runs;
  total.reruns += reruns;
  total.reloads += reloads;
}

/** Formats counts as the header `server-timing`. */
export function describeCounts({ statements, milliseconds, reruns }: Counts): string {
  const described = `${statements} statements, ${reruns} reruns`;
  return `db;dur=${Math.round(milliseconds * 10) / 10};desc="${described}"`;
}

export function counted(driver: Driver, counts: Counts): Driver {
  const timed = async <T>(send: () => Promise<T>): Promise<T> => {
    counts.statements++;
    const start = performance.now();
    try {
      return await send();
    } finally {
      counts.milliseconds += performance.now() - start;
    }
  };
  const count = (session: Session): Session => ({
    query: (statement) => timed(() => session.query(statement)),
  });
  const countTransaction = (transaction: Transaction): Transaction => ({
    defer: transaction.defer,
    ...count(transaction),
    queryOnce: (statement) => timed(() => transaction.queryOnce(statement)),
    leave: transaction.leave,
    describe: (text) => timed(() => transaction.describe(text)),
  });
  const countAll = (access: TransactionRunner): TransactionRunner => ({
    transact: (kind, act) => access.transact(kind, (session) => act(countTransaction(session))),
    ...count(access),
    write: (statement, guard) => timed(() => access.write(statement, guard)),
  });
  return {
    ...driver,
    ...countAll(driver),
    within: (scope) => counted(driver.within(scope), counts),
    standby: () => {
      const standby = driver.standby();
      return standby && countAll(standby);
    },
  };
}
