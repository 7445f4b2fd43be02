import type { BranchAddress } from "../catalog/address.js";
import { createContentStore } from "../schema/file-content.js";
import { createFileReader } from "../schema/read-files.js";
import { showFiles } from "../schema/show-files.js";
import type { MakeMember, ShowFiles, StoredFile } from "../schema/stored-files.js";
import { encodeBase64 } from "../value/base64.js";
import { type LinkKeys, type LinkKind, linkKeysOf, sealLink } from "./file-links.js";
import type { FileStorage, LinkSource } from "./setup.js";

export function createFileStorage(): FileStorage {
  const store = createContentStore();
  return { store, read: createFileReader(store), openBranch };
}

function openBranch(context: LinkSource, address: BranchAddress): ShowFiles {
  let keys: LinkKeys | undefined;
  const make: MakeMember = ({ table, column, id }, file, member) => {
    if (member === "base64Content") return encodeBase64(file.content.bytes);
    const link = {
      ...address,
      kind: member,
      table,
      record: id,
      slot: column.slot,
      file: file.id,
      content: member === "uploadUrl" ? "" : contentKey(file),
      expires: expiryOf(file, member, context.now().ms),
    };
    keys ??= linkKeysOf(context.streams);
    return `${context.publicUrl}/file/${sealLink(link, keys)}`;
  };
  return (column, chosen, table) => showFiles(column, chosen, table, make);
}

/** Identifies one version of a file's content. */
export function contentKey({ version, content }: StoredFile): string {
  return `${version} ${content.hash.slice(0, 16)}`;
}

function expiryOf(file: StoredFile, kind: LinkKind, now: number): number | null {
  if (kind === "url") return null;
  const seconds = kind === "signedUrl" ? file.signedUrlTimeout : file.uploadUrlTimeout;
  return now + seconds * 1000;
}
