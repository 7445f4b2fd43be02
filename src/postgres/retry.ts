import { refuse } from "../errors.js";
import { BusyError, codeOf, failureOf, refuseByServer, UnknownOutcomeError } from "./failure.js";

const MAX_RUNS = 12;
/** Maximum wait in milliseconds after the first run; doubles each time. */
const FIRST_WAIT = 4;
const LONGEST_WAIT = 250;

/**
 * Retries after conflicts with random exponential backoff. Throws `unavailable`, with the message
 * `silence` if there is no connection.
 */
export async function retry<T>(
  act: (run: number) => Promise<T>,
  silence = "the database does not answer",
): Promise<T> {
  for (let run = 0; ; run++) {
    try {
      return await act(run);
    } catch (error) {
      const failure = failureOf(error);
      if (error instanceof UnknownOutcomeError) {
        const message = "the connection broke during the commit: its outcome is unknown";
        refuse("unavailable", message, { cause: error });
      }
      if (error instanceof BusyError)
        refuse("unavailable", "all connections are in use: try again", { cause: error });
      if (failure === "unavailable") refuse("unavailable", silence, { cause: error });
      refuseByServer(error);
      if (failure !== "conflict") throw error;
      if (run + 1 === MAX_RUNS) refuse("unavailable", lastingConflict(error), { cause: error });
      await backOff(run);
    }
  }
}

function lastingConflict(error: unknown): string {
  const isBusy = codeOf(error)?.startsWith("55") !== true;
  return `${isBusy ? "too many writes at once" : "the database is not ready"}: try again`;
}

/** Waits for a random time, up to twice as long after each run. */
export async function backOff(run: number): Promise<void> {
  const longest = Math.min(FIRST_WAIT * 2 ** run, LONGEST_WAIT);
  await new Promise((resolve) => setTimeout(resolve, Math.random() * longest));
}
