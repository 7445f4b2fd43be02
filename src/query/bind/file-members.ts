import type { LeafColumn } from "../../schema/columns.js";
import { FILE_MEMBERS, type FileMember } from "../../schema/files.js";
import type { ColumnChoice } from "../bound/selection.js";

/** Adds a member of files, or those that come with the name of the column (rule H-2). */
export function addMembers(
  choices: Map<string, ColumnChoice>,
  column: LeafColumn,
  name: string | undefined,
): void {
  const known = choices.get(column.name);
  const members = known?.kind === "files" ? known.members : new Set<FileMember>();
  const names = Object.keys(FILE_MEMBERS) as FileMember[]; // the keys of its own type
  for (const member of names) {
    if (name === undefined ? FILE_MEMBERS[member] !== "apart" : member === name)
      members.add(member);
  }
  choices.set(column.name, { kind: "files", column, members });
}
