/** Deletes the sessions that nobody has used for an hour, by the given clock. */
export function sweep(sessions, now) {
  const old = new Date(now - 3_600_000).toISOString();
  const { records } = sessions.query({ columns: ["id"], filter: { usedAt: { $lt: old } } });
  for (const { id } of records) sessions.delete(id);
  return records.length;
}
