import { type BatchFault, refuse, shorten, TwinbaseError } from "../errors.js";
import type { Profile } from "../profile.js";
import { utf8Length } from "../value/text.js";
import type { Answer, RawReply, Reply } from "./message.js";
import { serviceText, serviceTextOfMember } from "./service-text.js";

const JSON_TYPE = "application/json";
const MAX_ANSWER_BYTES = 256 * 1024 * 1024;

export function answerWritten(id: string, reply: RawReply): Answer {
  const { status, json, content = json, stream, timing } = reply;
  const headers = {
    ...reply.headers,
    ...(json !== undefined && { "content-type": JSON_TYPE }),
    "x-request-id": id,
    ...(timing !== undefined && { "server-timing": timing }),
  };
  return { status, headers, body: content, stream };
}

/** Serializes the body of a reply, unless it is too long (rule L-11). */
export function writeReply(reply: Reply): RawReply {
  const { status, body, json, headers } = reply;
  if (headers !== undefined) return reply;
  // `JSON.stringify` would take half a minute to exceed the maximum length of strings.
  if (textLength(body) > MAX_ANSWER_BYTES) refuseLong();
  const text = json ?? (body === undefined ? undefined : JSON.stringify(body));
  if (text !== undefined && isTooLong(text)) refuseLong();
  return { status, json: text };
}

/** The length of all strings in a value, except keys. */
function textLength(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 0;
  let length = 0;
  for (const member of Object.values(value)) length += textLength(member);
  return length;
}

export function refuseLong(): never {
  const most = `at most ${MAX_ANSWER_BYTES} bytes`;
  refuse("invalid_request", `the answer is longer than ${most}: ask for fewer records or columns`, {
    rule: "L-11",
  });
}

/** Whether a string exceeded the engine's maximum length. */
export function isLengthError(error: unknown): boolean {
  return error instanceof RangeError && /string length|too long|allocation/i.test(error.message);
}

function isTooLong(text: string): boolean {
  if (text.length * 3 <= MAX_ANSWER_BYTES) return false;
  return text.length > MAX_ANSWER_BYTES || utf8Length(text) > MAX_ANSWER_BYTES;
}

/** Returns the answer to a failed request (E-2); internal errors disclose nothing (E-4). */
export function answerError(id: string, error: unknown, profile: Profile): Answer {
  const isOwn = error instanceof TwinbaseError;
  const describe = profile.serviceErrors ? describeAsService : describeError;
  const described = isOwn ? describe(error) : { message: "internal error", code: "internal" };
  const headers = { "content-type": JSON_TYPE, "x-request-id": id };
  const body = JSON.stringify({ id, ...described });
  return { status: isOwn ? error.status : 500, headers, body, error };
}

function describeError(error: TwinbaseError): object {
  const { message, code, path, rule, errors, more } = error;
  return errors === undefined
    ? { message, code, path, rule }
    : { errors: describeFaults(error, errors), more };
}

/** Paths of records are relative to the list of records; in the answer to the body (rule E-1). */
function describeFaults({ batchOf }: TwinbaseError, errors: readonly BatchFault[]): object[] {
  const above = batchOf === "records" ? "/records" : "";
  return errors.map(({ index, message, code, path, rule }) => {
    return { index, message, code, path: path === undefined ? path : above + path, rule };
  });
}

/** Gives messages in the words of the service, and ours in addition (rule E-8). */
function describeAsService(error: TwinbaseError): object {
  const { code, path, rule, hint, errors, more, batchOf } = error;
  if (errors === undefined) {
    return { message: serviceText(error), code, path, rule, hint, detail: withPlace(error) };
  }
  const entries = errors.map((fault) => {
    const message = serviceTextOfMember(fault);
    // The clients compare entries as a whole.
    return batchOf === "operations" ? { index: fault.index, message } : { message, status: 400 };
  });
  return { errors: entries, more, details: describeFaults(error, errors) };
}

function withPlace({ message, path, rule }: TwinbaseError): string {
  if (path === undefined || path === "") return message; // the whole body
  return `${shorten(message, 1700)} (at ${shorten(path, 200)}, rule ${rule})`; // rule L-9
}
