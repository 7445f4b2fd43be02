export const MAX_NAME_LENGTH = 255;

const NAME = /^[A-Za-z0-9_~-]{1,255}$/;
const ARRAY_INDEX = /^(?:0|[1-9][0-9]{0,9})$/;
const MAX_ARRAY_INDEX = 2 ** 32 - 2;

export function isName(text: unknown): text is string {
  return typeof text === "string" && NAME.test(text);
}

/** Whether a column name is well-formed (rule N-3); does not check reserved and existing names. */
export function isColumnName(text: unknown): text is string {
  return isName(text) && text !== "__proto__" && !isArrayIndex(text);
}

function isArrayIndex(name: string): boolean {
  return ARRAY_INDEX.test(name) && Number(name) <= MAX_ARRAY_INDEX;
}
