import type { Json } from "../types.js";
import { cloneJson } from "../value/json.js";
import type { LeafColumn } from "./columns.js";
import {
  FILE_MEMBERS,
  type FileMember,
  type MadeMember,
  type MakeMember,
  type StoredFile,
} from "./files.js";

/** See {@link ShowFiles}. */
export function showFiles(
  column: LeafColumn,
  chosen: ReadonlySet<FileMember>,
  table: string,
  make: MakeMember,
): (files: Json, id: string) => Json | undefined {
  const names = Object.keys(FILE_MEMBERS) as FileMember[]; // the keys of its own type
  const members = names.filter((name) => chosen.has(name));
  const show = (file: StoredFile, id: string): Record<string, Json> => {
    const shown: Record<string, Json> = {};
    for (const member of members) {
      const value =
        FILE_MEMBERS[member] === "stored"
          ? cloneJson((file[member as keyof StoredFile] ?? null) as Json) // all but the content
          : make({ table, column, id }, file, member as MadeMember); // all others
      if (value != null) shown[member] = value;
    }
    return shown;
  };
  return (value, id) => {
    const files = value as unknown as StoredFile | readonly StoredFile[]; // as such columns hold
    if (Array.isArray(files)) return files.map((file: StoredFile) => show(file, id));
    const shown = show(files as StoredFile, id);
    // nothing may be left of a single file, which has no id.
    return Object.keys(shown).length > 0 ? shown : undefined;
  };
}
