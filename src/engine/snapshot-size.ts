import type { TableVersion } from "../storage/table.js";
import type { Vector } from "../storage/vector.js";
import { sizeOf } from "../value/size.js";
import { Snapshot } from "./snapshot.js";

/** Estimates the bytes that a snapshot holds beyond another: they share the chunks that are the same. */
export function sizeBeyond(snapshot: Snapshot, other: Snapshot): number {
  const { tables } = Snapshot.read(snapshot, "snapshot").contents;
  const { tables: others } = Snapshot.read(other, "snapshot").contents;
  let bytes = 0;
  for (const [key, table] of tables) bytes += sizeOfTable(table, others.get(key));
  return bytes;
}

function sizeOfTable(version: TableVersion, other: TableVersion | undefined): number {
  if (version.chunks === other?.chunks) return 0;
  let bytes = 0;
  for (const [index, { vectors }] of version.chunks.entries()) {
    const others = other?.chunks[index]?.vectors;
    for (const [slot, vector] of vectors.entries()) {
      if (vector !== undefined && vector !== others?.[slot])
        bytes += sizeApart(vector, others?.[slot]);
    }
  }
  return bytes;
}

function sizeApart(vector: Vector, other: Vector | undefined): number {
  let bytes = 0;
  const others = new Map<string, unknown>(Object.entries(other ?? {}));
  for (const [key, part] of Object.entries(vector)) {
    const same: unknown = others.get(key);
    if (part === same) continue;
    if (ArrayBuffer.isView(part)) bytes += part.byteLength;
    else if (Array.isArray(part)) {
      const former = Array.isArray(same) ? same : [];
      for (let i = 0; i < part.length; i++) bytes += part[i] === former[i] ? 8 : sizeOf(part[i]);
    }
  }
  return bytes;
}
