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
import { type Address, findNothing, findTable } from "../address.js";
import type { Reply, RequestBody } from "../message.js";
import { CONTENT, refer } from "../openapi/schema.js";
import { defineRoute, type GivenContent, type Method, type Route } from "../route.js";

const FILE = "/db/{db_branch_name}/tables/{table_name}/data/{record_id}/column/{column_name}/file";

const WORDS = {
  GET: ["getFile", "The content of a file."],
  PUT: ["putFile", "Gives a file another content, or makes one (section H)."],
  DELETE: ["deleteFile", "Removes a file."],
} as const satisfies Partial<Record<Method, readonly [operation: string, summary: string]>>;

/** Contents of files, by record and by addresses that need no key (rules H-3, H-4). */
export const FILE_ROUTES: readonly Route[] = [
  ...fileRoutes(FILE, ""),
  ...fileRoutes(`${FILE}/{file_id}`, "Item"),
  defineRoute({
    method: "GET",
    path: "/file/{token}",
    plane: "workspace",
    touches: "records",
    operation: "fileAccess",
    summary: "The content of a file, by its url or signedUrl.",
    isPublic: true,
    givesContent: true,
    answers: { 200: CONTENT },
    find: findNothing,
    handle: (_, { engine, names }) => answerContent(downloadByToken(engine, names.token!)),
  }),
  defineRoute({
    method: "PUT",
    path: "/file/{token}",
    plane: "workspace",
    touches: "records",
    operation: "fileUpload",
    summary: "Gives a file another content, by its uploadUrl.",
    isPublic: true,
    takesContent: true,
    body: CONTENT,
    answers: { 201: refer("File") },
    find: findNothing,
    handle: (_, { engine, names, body }) => {
      const { bytes, mediaType } = readContent(body);
      return { status: 201, body: uploadByToken(engine, names.token!, bytes, { mediaType }) };
    },
  }),
];

/** The three routes of a file; an id that is empty is none (rule H-3). */
function fileRoutes(path: string, suffix: "" | "Item"): readonly Route[] {
  const common = (method: keyof typeof WORDS) =>
    ({
      method,
      path,
      plane: "workspace",
      touches: "records",
      operation: `${WORDS[method][0]}${suffix}`,
      summary: WORDS[method][1],
      find: findTable,
    }) as const;
  return [
    defineRoute({
      ...common("GET"),
      givesContent: true,
      answers: { 200: CONTENT },
      handle: (table, { names }) => answerContent(downloadFile(table, placeOf(names))),
    }),
    defineRoute({
      ...common("PUT"),
      takesContent: true,
      body: CONTENT,
      answers: { 200: refer("File"), 201: refer("File") },
      handle: (table, { names, body }) => {
        const { bytes, mediaType } = readContent(body);
        const { file, isNew } = uploadFile(table, placeOf(names), bytes, { mediaType });
        return { status: isNew ? 201 : 200, body: file };
      },
    }),
    defineRoute({
      ...common("DELETE"),
      answers: { 200: refer("File") },
      handle: (table, { names }) => ({ status: 200, body: deleteFile(table, placeOf(names)) }),
    }),
  ];
}

function placeOf({ record_id, column_name, file_id }: Address["names"]): FilePlace {
  return { record: record_id!, column: column_name!, file: file_id || undefined };
}

/**
 * A browser that shows a file runs nothing of it in the name of this service, and takes it for
 * nothing else than it is said to be: whoever may write a file is not whoever may ask for all.
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
  return {
    status: 200,
    file: { text: content, headers: { "content-type": mediaType, ...SAFE_HEADERS } },
  };
}

/** The content and its media type, parameters such as a charset left out (rule H-3). */
function readContent(body: RequestBody): GivenContent {
  const { bytes, mediaType: given } = body as unknown as GivenContent; // of routes that take content
  const mediaType = given?.replace(/\s*;.*$/s, "").trim();
  if (mediaType === undefined || isMediaType(mediaType)) return { bytes, mediaType };
  return refuse(
    "invalid_request",
    `content-type: expected a media type, found ${describe(given)}`,
    {
      rule: "H-1",
    },
  );
}
