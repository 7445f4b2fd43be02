import { TwinbaseError } from "../errors.js";

/**
 * Calls `act`. If it rejects a batch, prefixes the paths of its errors, so they are paths in the
 * body (rule E-1).
 */
export function pointFaults<T>(prefix: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw error instanceof TwinbaseError && error.errors !== undefined
      ? movePaths(error, error.errors, prefix)
      : error;
  }
}

function movePaths(
  error: TwinbaseError,
  errors: NonNullable<TwinbaseError["errors"]>,
  prefix: string,
): TwinbaseError {
  const { code, message, status, path, rule, more } = error;
  const move = (place: string | undefined): string | undefined =>
    place === undefined ? undefined : prefix + place;
  return new TwinbaseError(code, message, {
    status,
    path: move(path),
    rule,
    errors: errors.map((fault) => ({ ...fault, path: move(fault.path) })),
    more,
  });
}
