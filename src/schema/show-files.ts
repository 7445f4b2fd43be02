import type { Json } from "../types.js";
import { cloneJson } from "../value/json.js";
import type { LeafColumn } from "./columns.js";
import {
  FILE_MEMBERS,
  type FileMember,
  type MadeMember,
  type MakeMember,
  type StoredFile,
} from "./stored-files.js";

/** See {@link ShowFiles}. */
export function showFiles(
  column: LeafColumn,
  chosen: ReadonlySet<FileMember>,
  table: string,
  make?: MakeMember,
): (files: Json, id: string) => Json | undefined {
  const names = Object.keys(FILE_MEMBERS) as FileMember[]; // keyed by the type's own keys
  const members = names.filter((name) => chosen.has(name));
  const show = (file: StoredFile, id: string): Record<string, Json> => {
    const shown: Record<string, Json> = {};
    for (const member of members) {
      const value =
        FILE_MEMBERS[member] === "stored"
          ? cloneJson((file[member as keyof StoredFile] ?? null) as Json) // all stored members except the content
          : make?.({ table, column, id }, file, member as MadeMember); // computed members
      if (value != null) shown[member] = value;
    }
    return shown;
  };
  return (value, id) => {
    const files = value as unknown as StoredFile | readonly StoredFile[]; // a file column's value
    if (Array.isArray(files)) return files.map((file: StoredFile) => show(file, id));
    const shown = show(files as StoredFile, id);
    // a single file has no id, so its object may be empty.
    return Object.keys(shown).length > 0 ? shown : undefined;
  };
}
