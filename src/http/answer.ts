import { type BatchFault, refuse, shorten, TwinbaseError } from "../errors.js";
import type { ProfileName } from "../profile.js";
import { utf8Length } from "../value/text.js";
import type { Answer, Reply, Written } from "./message.js";

const JSON_TYPE = "application/json";
const MAX_ANSWER_BYTES = 256 * 1024 * 1024;

export function answerWritten(id: string, written: Written): Answer {
  const { status, json, content = json, stream, timing } = written;
  const headers = {
    ...written.headers,
    ...(json !== undefined && { "content-type": JSON_TYPE }),
    "x-request-id": id,
    ...(timing !== undefined && { "server-timing": timing }),
  };
  return { status, headers, body: content, stream };
}

/** Serializes the body of a reply, unless it is too long (rule L-11). */
export function writeReply(reply: Reply): Written {
  const { status, body, json, headers } = reply;
  if (headers !== undefined) return reply;
  const text = json ?? (body === undefined ? undefined : JSON.stringify(body));
  if (text !== undefined && isTooLong(text)) refuseLong();
  return { status, json: text };
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
export function answerError(id: string, error: unknown, base: ProfileName): Answer {
  if (!(error instanceof TwinbaseError)) {
    return answerText(id, 500, JSON.stringify({ id, message: "internal error", code: "internal" }));
  }
  const { status, message, code, path, rule, errors, more, hint } = error;
  const told = base === "xata" ? { message: withPlace(error), hint } : { message, hint: undefined };
  const body =
    errors === undefined
      ? { id, message: told.message, code, path, rule, hint: told.hint }
      : { id, errors: errors.map((fault) => describeFault(fault, base)), more };
  return answerText(id, status, JSON.stringify(body));
}

/**
 * In profile `xata`, the message includes path and rule, because the client exposes only the
 * message. The message of G-1 is specified exactly.
 */
function withPlace({ message: whole, path, rule, hint }: TwinbaseError): string {
  // The client compares the end of the message.
  const message = hint === undefined ? whole : whole.slice(0, -`; ${hint}`.length);
  if (path === undefined || rule === "G-1") return message;
  return `${shorten(message, 1700)} (at ${shorten(path, 200)}, rule ${rule})`; // rule L-9
}

/** In profile `xata`, an error has only the members that the client reads (rule X-3). */
function describeFault({ index, message, ...rest }: BatchFault, base: ProfileName): object {
  return base === "xata" ? { index, message } : { index, message, ...rest };
}

function answerText(id: string, status: number, body: string): Answer {
  return { status, headers: { "content-type": JSON_TYPE, "x-request-id": id }, body };
}
