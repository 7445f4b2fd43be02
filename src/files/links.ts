import type { BranchAddress } from "../catalog/address.js";
import { findBranch } from "../catalog/find.js";
import type { EngineContext } from "../engine/context.js";
import { type FileLink, openLink } from "../engine/file-links.js";
import { contentKey } from "../engine/file-storage.js";
import { type AnyEngine, Engine } from "../engine.js";
import { refuse, TwinbaseError } from "../errors.js";
import type { AnyTable } from "../typed/table.js";
import {
  copyFile,
  type DownloadedFile,
  type FileDetails,
  type UploadOptions,
  writeContent,
} from "./content.js";
import { type FilePlace, findFiles, requireFile } from "./places.js";

export function readByLink(
  engine: AnyEngine,
  token: string,
  isMember: (workspace: string) => boolean,
): DownloadedFile {
  const { link, table, place } = follow(engine, token);
  if (link.kind === "uploadUrl") refuseLink("forbidden", "this address is for writing");
  const file = find(() => requireFile(table, place, findFiles(table, place)));
  if (contentKey(file) !== link.content) refuseGone();
  if (link.kind === "url" && !file.enablePublicUrl && !isMember(link.workspace)) {
    refuseLink("forbidden", "the file is not public: expected the API key of a member");
  }
  return copyFile(file);
}

export function writeByLink(
  engine: AnyEngine,
  token: string,
  content: Uint8Array,
  options: UploadOptions = {},
): FileDetails {
  const { link, table, place } = follow(engine, token);
  if (link.kind !== "uploadUrl") refuseLink("forbidden", "this address is for reading");
  find(() => findFiles(table, place));
  return writeContent(table, place, content, options).file;
}

export function branchOfToken(engine: AnyEngine, token: string): BranchAddress | undefined {
  const { streams, state } = Engine.contextOf(engine);
  const link = openLink(token, streams);
  if (link === undefined) return undefined;
  const { workspace, database, branch } = link;
  const found = state.workspaces.get(workspace)?.databases.get(database)?.branches.has(branch);
  return found ? { workspace, database, branch } : undefined;
}

interface LinkTarget {
  readonly link: FileLink;
  readonly table: AnyTable;
  readonly place: FilePlace;
}

function follow(engine: AnyEngine, token: string): LinkTarget {
  const context = Engine.contextOf(engine);
  const link = openLink(token, context.streams) ?? refuseGone();
  if (link.expires !== null && context.now().ms >= link.expires) {
    refuseLink("forbidden", "this address has expired");
  }
  return find(() => {
    const { name, column } = findTable(context, link);
    const { workspace, database, branch, record, file } = link;
    const table = engine.workspace(workspace).database(database).branch(branch).table(name);
    return { link, table, place: { record, column, file } };
  });
}

function findTable(context: EngineContext, link: FileLink): { name: string; column: string } {
  for (const [name, key] of findBranch(context.state, link).tables) {
    const value = context.tableAt(key);
    if (value.identity !== link.table) continue;
    const column = value.schema.leaves.find(({ slot }) => slot === link.slot);
    if (column !== undefined) return { name, column: column.path };
  }
  return refuseGone();
}

/** Maps every missing part of the path to the same error. */
function find<T>(look: () => T): T {
  try {
    return look();
  } catch (error) {
    if (error instanceof TwinbaseError && error.status < 500 && error.code !== "forbidden") {
      return refuseGone();
    }
    throw error;
  }
}

function refuseGone(): never {
  return refuseLink("file_not_found", "no file has this address, or its content has changed");
}

function refuseLink(code: "forbidden" | "file_not_found", message: string): never {
  return refuse(code, message, { rule: "H-4" });
}
