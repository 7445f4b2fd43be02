import { columnName } from "../sql/statement.js";
import { readText } from "../sql/text.js";
import type { Breach, RowCheck } from "../storage/row-checks.js";
import { plain, type Session } from "./driver.js";

/** Looks for rows of a table that break a condition. */
export async function findStoredBreach(
  session: Session,
  table: string,
  check: RowCheck,
): Promise<Breach | undefined> {
  const [row] = await session.query(plain(textOf(table, check)));
  const [record = null, count = null] = row ?? [];
  return record === null ? undefined : { record: readText(record), count: Number(count ?? 1) };
}

/** Selects the first record that breaks a condition, by id; for values also their number. */
function textOf(table: string, { breaks, column, slots }: RowCheck): string {
  const names = slots.map(columnName);
  const first = "order by id limit 1";
  switch (breaks) {
    case "null": {
      const nulls = names.map((name) => `${name} is null`);
      return `select id from ${table} where ${["true", ...nulls].join(" and ")} ${first}`;
    }
    case "value":
      return `select min(id), count(*) from ${table} where ${names[0]} is not null`;
    case "repeats": {
      if (slots.length === 0) return `select id from ${table} ${first} offset 1`;
      // JSON has no equality operator.
      const value = `${names[0]}${column.type === "json" ? "::jsonb" : ""}`;
      const numbered = `select id, row_number() over (partition by ${value} order by id) n from ${table} where ${names[0]} is not null`;
      return `select id from (${numbered}) r where n > 1 ${first}`;
    }
  }
}
