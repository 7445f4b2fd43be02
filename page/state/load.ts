import { useCallback, useEffect, useState } from "preact/hooks";
import { ServiceError } from "./api.js";

export interface Loaded<T> {
  readonly value: T | undefined;
  readonly error: Error | undefined;
  readonly isLoading: boolean;
  readonly reload: () => void;
  /** Sets the value without loading. */
  readonly put: (value: T) => void;
}

/** Loads a value, again when dependencies change; keeps the old value meanwhile. */
export function useLoad<T>(
  load: (signal: AbortSignal) => Promise<T>,
  dependencies: readonly unknown[],
): Loaded<T> {
  const [state, setState] = useState<Omit<Loaded<T>, "reload" | "put">>({
    value: undefined,
    error: undefined,
    isLoading: true,
  });
  const [count, setCount] = useState(0);
  useEffect(() => {
    const controller = new AbortController();
    setState((before) => ({ ...before, isLoading: true }));
    load(controller.signal).then(
      (value) => {
        if (!controller.signal.aborted) setState({ value, error: undefined, isLoading: false });
      },
      (error: Error) => {
        if (controller.signal.aborted) return;
        setState({ value: undefined, error, isLoading: false });
      },
    );
    return () => controller.abort();
    // The caller lists the dependencies.
  }, [...dependencies, count]);
  const reload = useCallback(() => setCount((before) => before + 1), []);
  const put = useCallback(
    (value: T) => setState({ value, error: undefined, isLoading: false }),
    [],
  );
  return { ...state, reload, put };
}

/** The message of an error, with its rule. */
export function describeError(error: unknown): string {
  if (error instanceof ServiceError && error.rule !== undefined) {
    return `${error.message} (rule ${error.rule})`;
  }
  return error instanceof Error ? error.message : String(error);
}
