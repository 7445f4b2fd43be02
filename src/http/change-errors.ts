import { type ErrorDetails, TwinbaseError } from "../errors.js";

/** Calls `act`, and replaces details of the errors that it throws. */
export function changeErrors<T>(act: () => T, change: (error: TwinbaseError) => ErrorDetails): T {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof TwinbaseError)) throw error;
    throw new TwinbaseError(error.code, error.message, { ...error, ...change(error) });
  }
}
