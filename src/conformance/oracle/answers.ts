import { evaluateQuery } from "./evaluate.js";
import type { JsonObject, OracleDatabase } from "./model.js";
import type { OracleCommand, OracleWorld, Outcome } from "./world.js";
import { applyWrite, type OracleWrite } from "./write.js";

/** Whether a write inserts other than one record. */
export function isBatch(write: OracleWrite): boolean {
  return write.kind === "insert" && write.records.length !== 1;
}

/** Returns the body of the answer to a command that wrote records. */
export function answerTo(
  [before, after]: readonly [OracleWorld, OracleWorld],
  command: OracleCommand,
  outcome: Outcome,
  now: number,
): JsonObject | undefined {
  if (outcome !== "created" && outcome !== "changed") return undefined;
  if (command.kind !== "write" && command.kind !== "transaction") return undefined;
  const databaseOf = ({ branches }: OracleWorld): OracleDatabase => branches.get(command.branch)!; // it wrote there
  let db = databaseOf(before);
  if (command.kind === "transaction") {
    const results = command.writes.map((write) => {
      const past = db;
      db = applyWrite(past, write, now) as OracleDatabase; // all succeed
      return resultOf(past, db, write);
    });
    return { results };
  }
  const { write } = command;
  if (write.columns === undefined && write.kind === "delete") return undefined;
  if (write.columns === undefined && isBatch(write)) return { recordIDs: idsOf(write) };
  const records = answered(db, databaseOf(after), write);
  return isBatch(write) ? { records } : records[0];
}

function idsOf(write: OracleWrite): string[] {
  return write.kind === "insert" ? write.records.map(({ id }) => String(id)) : [write.id];
}

/** The records of a write, a deleted one as it was. */
function answered(before: OracleDatabase, after: OracleDatabase, write: OracleWrite): JsonObject[] {
  const { kind, table, columns = [] } = write;
  const db = kind === "delete" ? before : after;
  const { records } = evaluateQuery(db, table, { columns, page: { size: 1e9 } });
  return idsOf(write).map((id) => records.find((record) => record.id === id) as JsonObject); // it wrote it
}

/** The result of an operation of a transaction: only the columns that it names. */
function resultOf(before: OracleDatabase, after: OracleDatabase, write: OracleWrite): JsonObject {
  const { kind, columns } = write;
  const [id = ""] = idsOf(write);
  const isInsert = kind === "insert" || kind === "put";
  const result: JsonObject =
    kind === "delete"
      ? { operation: kind, rows: 1 }
      : { operation: isInsert ? "insert" : "update", id, rows: 1 };
  if (columns === undefined) {
    const isNew = kind === "insert" || (kind === "put" && write.createOnly);
    return kind === "delete" || isNew ? result : { ...result, columns: {} };
  }
  const isNamed = (name: string): boolean =>
    !["id", after.profile.metadataColumn].includes(name) ||
    columns.some((path) => path.split(".")[0] === name);
  const [record = {}] = answered(before, after, write);
  const named = Object.entries(record).filter(([name]) => isNamed(name));
  return { ...result, columns: Object.fromEntries(named) };
}
