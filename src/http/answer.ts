import { type BatchFault, TwinbaseError } from "../errors.js";
import type { ProfileName } from "../profile.js";
import type { Answer, Reply } from "./message.js";

const JSON_TYPE = "application/json";

/** The answer of a route. */
export function answerReply(id: string, { status, body, json }: Reply): Answer {
  const text = json ?? (body === undefined ? undefined : JSON.stringify(body));
  return text === undefined
    ? { status, headers: { "x-request-id": id }, body: undefined }
    : answerText(id, status, text);
}

/** The answer to a request that fails (rule E-2); a fault of our own says nothing (rule E-4). */
export function answerError(id: string, error: unknown, base: ProfileName): Answer {
  if (!(error instanceof TwinbaseError)) {
    return answerText(id, 500, JSON.stringify({ id, message: "internal error", code: "internal" }));
  }
  const { status, message, code, path, rule, errors } = error;
  const body =
    errors === undefined
      ? { id, message, code, path, rule }
      : { id, errors: errors.map((fault) => describeFault(fault, base)) };
  return answerText(id, status, JSON.stringify(body));
}

/** Under `xata` a fault has only what its client reads (rule X-3). */
function describeFault({ index, message, ...rest }: BatchFault, base: ProfileName): object {
  return base === "xata" ? { index, message } : { index, message, ...rest };
}

function answerText(id: string, status: number, body: string): Answer {
  return { status, headers: { "content-type": JSON_TYPE, "x-request-id": id }, body };
}
