// Brings what an engine answers into one form, so that two engines' answers can be compared.

/** @typedef {import("./workloads.mjs").Workload} Workload */

/**
 * An answer as a short text: equal texts, equal answers.
 *
 * @param {Workload["kind"]} kind
 * @param {any} answer
 * @returns {string}
 */
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
    case "walk":
      return `${answer.length} ${hashText(answer.map(idOf))}`;
    case "count":
    case "load":
      return String(answer);
  }
}

/**
 * One line for a record, without what only some engines add to it.
 *
 * @param {any} record
 */
export function canonRecord(record) {
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

/** @param {any} member a record, or its id alone */
function idOf(member) {
  return typeof member === "string" ? member : member.id;
}

/**
 * FNV-1a over the characters of all texts, with their borders.
 *
 * @param {readonly string[]} texts
 */
function hashText(texts) {
  let hash = 0x811c9dc5;
  for (const text of texts) {
    for (let i = 0; i < text.length; i++) {
      hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
    }
    hash = Math.imul(hash ^ 0x1f, 0x01000193);
  }
  return (hash >>> 0).toString(16);
}
