// Normalizes the answers of engines for comparison.
import { createHash } from "node:crypto";

/** Returns an answer as a short text. */
export function digestAnswer(kind, answer) {
  switch (kind) {
    case "record":
    case "write":
      return answer === null ? "none" : canonRecord(answer);
    case "records":
      return answer.map(canonRecord).join("\n");
    case "page":
      return `${answer.count}\n${answer.records.map(canonRecord).join("\n")}`;
    case "branch":
      return `${answer.count}\n${canonRecord(answer.branch)}\n${canonRecord(answer.source)}`;
    case "rows":
      // Sums of fractions differ in the last digits.
      return JSON.stringify(answer, (_, value) =>
        typeof value === "number" ? Number(value.toPrecision(9)) : value,
      );
    case "walk":
      return `${answer.length} ${createHash("sha1").update(answer.map(idOf).join()).digest("hex")}`;
    case "count":
    case "load":
      return String(answer);
  }
}

/** Returns a record as one line, without members that only some engines add. */
function canonRecord(record) {
  const { id, full_name, email, plan, zipcode, rating, created, labels, team, address } = record;
  return JSON.stringify([
    id,
    full_name,
    email,
    plan,
    zipcode,
    rating ?? null,
    created,
    labels ?? [],
    typeof team === "object" ? team.id : team,
    address.street,
    address.number,
  ]);
}

function idOf(member) {
  return typeof member === "string" ? member : member.id;
}
