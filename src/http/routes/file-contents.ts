import { describe, refuse } from "../../errors.js";
import {
  deleteFile,
  downloadByToken,
  downloadFile,
  type FilePlace,
  uploadByToken,
  uploadFile,
} from "../../files.js";
import { isMediaType } from "../../schema/read-files.js";
import * as s from "../../shape/schema.js";
import { type Address, seesWorkspace, tableHandle } from "../address.js";
import type { Reply } from "../message.js";
import { defineRoute, type Routes, type UnreadContent } from "../route.js";

const FILE_AT =
  "/db/{db_branch_name}/tables/{table_name}/data/{record_id}/column/{column_name}/file";

const FILE = s.named(
  "File",
  s.objectOf(
    {
      name: s.TEXT,
      mediaType: s.TEXT,
      enablePublicUrl: s.FLAG,
      signedUrlTimeout: s.INTEGER,
      uploadUrlTimeout: s.INTEGER,
      size: s.INTEGER,
      version: s.INTEGER,
      url: s.TEXT,
      attributes: s.objectOf({}, { width: s.INTEGER, height: s.INTEGER }),
    },
    { id: s.TEXT },
  ),
);
const GIVEN: s.Schema<UnreadContent> = s.CONTENT as s.Schema<UnreadContent>; // routes with content
const FILE_ROUTE = defineThree(FILE_AT);
const ITEM_ROUTE = defineThree(`${FILE_AT}/{file_id}`);

export const FILE_ROUTES: Routes<
  | "getFile"
  | "putFile"
  | "deleteFile"
  | "getFileItem"
  | "putFileItem"
  | "deleteFileItem"
  | "fileAccess"
  | "fileUpload"
> = {
  getFile: FILE_ROUTE.get,
  putFile: FILE_ROUTE.put,
  deleteFile: FILE_ROUTE.delete,
  getFileItem: ITEM_ROUTE.get,
  putFileItem: ITEM_ROUTE.put,
  deleteFileItem: ITEM_ROUTE.delete,
  fileAccess: defineRoute({
    at: "GET /file/{token}",
    summary: "The content of a file, by its url or signedUrl.",
    usesRecords: true,
    isPublic: true,
    givesContent: true,
    answers: { 200: s.CONTENT },
    reply: (address, { engine, names }) => {
      const isMember = (id: string) => address.hasKey && seesWorkspace(address, id);
      return answerContent(downloadByToken(engine, names.token, isMember));
    },
  }),
  fileUpload: defineRoute({
    at: "PUT /file/{token}",
    summary: "Uploads a file by its uploadUrl.",
    usesRecords: true,
    isPublic: true,
    takesContent: true,
    body: GIVEN,
    answers: { 201: FILE },
    act: (_, { engine, names, body: { bytes, mediaType } }) =>
      uploadByToken(engine, names.token, bytes, { mediaType: readMediaType(mediaType) }),
  }),
};

/** Defines the three routes of a file; an empty id counts as absent (rule H-3). */
function defineThree(path: string): Routes<"get" | "put" | "delete"> {
  const common = { usesRecords: true, find: tableHandle } as const;
  return {
    get: defineRoute({
      ...common,
      at: `GET ${path}`,
      summary: "The content of a file.",
      givesContent: true,
      answers: { 200: s.CONTENT },
      reply: (table, { names }) => answerContent(downloadFile(table, placeOf(names))),
    }),
    put: defineRoute({
      ...common,
      at: `PUT ${path}`,
      summary: "Uploads a file (section H).",
      takesContent: true,
      body: GIVEN,
      answers: { 200: FILE, 201: FILE },
      reply: (table, { names, body: { bytes, mediaType } }) => {
        const options = { mediaType: readMediaType(mediaType) };
        const { file, isNew } = uploadFile(table, placeOf(names), bytes, options);
        return { status: isNew ? 201 : 200, body: file };
      },
    }),
    delete: defineRoute({
      ...common,
      at: `DELETE ${path}`,
      summary: "Deletes a file.",
      answers: { 200: FILE },
      act: (table, { names }) => deleteFile(table, placeOf(names)),
    }),
  };
}

function placeOf({ record_id, column_name, file_id }: Address["names"]): FilePlace {
  return { record: record_id!, column: column_name!, file: file_id || undefined };
}

/**
 * Headers that prevent browsers from running a file's scripts with this origin's rights and from
 * guessing its type: users who may write a file may not read everything.
 */
const SAFE_HEADERS = {
  "content-security-policy": "sandbox",
  "x-content-type-options": "nosniff",
} as const;

function answerContent({
  content,
  mediaType,
}: {
  readonly content: Uint8Array;
  readonly mediaType: string;
}): Reply {
  return { status: 200, content, headers: { "content-type": mediaType, ...SAFE_HEADERS } };
}

/** Returns the media type without parameters such as a charset (rule H-3). */
function readMediaType(text: string | undefined): string | undefined {
  const mediaType = text?.replace(/\s*;.*$/s, "").trim();
  if (mediaType === undefined || isMediaType(mediaType)) return mediaType;
  return refuse("invalid_request", `content-type: expected a media type, found ${describe(text)}`, {
    rule: "H-1",
  });
}
