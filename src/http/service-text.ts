import {
  type BatchFault,
  type Clause,
  type ErrorCode,
  type Reason,
  shorten,
  type TwinbaseError,
} from "../errors.js";

const MAX_TEXT = 1999; // and an ellipsis (rule L-9)

const RECORD_INVALID = "invalid record: ";
const INVALID: Readonly<Record<Clause, string>> = {
  filter: "filter invalid: ",
  columns: "columns invalid: ",
};

/** The message of an error in the words of the service, which its clients compare (rule E-8). */
export function serviceText({ reason, message, code }: TwinbaseError): string {
  return reason === undefined || reason.kind === "record"
    ? message
    : shorten(textOf(reason, code), MAX_TEXT);
}

/** The message of an invalid record or operation of a batch, in the words of the service. */
export function serviceTextOfMember({ reason, message, table, code }: BatchFault): string {
  if (reason === undefined) return message;
  const isMissing = table !== undefined && reason.kind === "not_found";
  const text = textOf(isMissing ? { ...reason, name: table } : reason, code);
  return shorten(table === undefined || isMissing ? text : `table [${table}]: ${text}`, MAX_TEXT);
}

function textOf(reason: Reason, code: ErrorCode): string {
  switch (reason.kind) {
    case "not_unique":
      return `${RECORD_INVALID}column [${reason.column}]: is not unique`;
    case "unknown_column": {
      const { clause, table, column } = reason;
      const part = clause === undefined ? RECORD_INVALID : INVALID[clause];
      const within = table === undefined ? "" : `table [${table}]: `;
      return `${part}${within}column [${column}]: column not found`;
    }
    case "type_mismatch": {
      const { column, expected } = reason;
      const part = code === "invalid_filter" ? INVALID.filter : RECORD_INVALID;
      return `${part}column [${column}]: type mismatch: expected ${expected}`;
    }
    case "empty_filter":
      return `${INVALID.filter}filter [${reason.key}]: filter empty`;
    case "unknown_key":
      return `invalid key [${reason.key}] in request`;
    case "version":
      return "version condition not met";
    case "not_found":
      return `${reason.what} [${reason.name}] not found`;
    case "record":
      return reason.text;
  }
}
