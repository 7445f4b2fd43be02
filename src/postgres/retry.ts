import { refuse } from "../errors.js";
import { failureOf, refuseByServer, UnknownOutcomeError } from "./failure.js";

/** How often what met another transaction is run before it is given up. */
const MAX_RUNS = 12;
/** Milliseconds waited at most after the first run; twice as many after each other. */
const FIRST_WAIT = 4;
const LONGEST_WAIT = 250;

/**
 * Runs `act`, and again while other transactions are in its way, after a wait of a random length.
 *
 * @param silence the message where the database cannot be reached
 * @throws TwinbaseError `unavailable` when the database cannot be reached, or the runs are used up
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
        refuse("unavailable", "the connection broke as the write ended: it is done, or it is not");
      }
      if (failure === "unavailable") refuse("unavailable", silence);
      refuseByServer(error);
      if (failure !== "conflict") throw error;
      if (run + 1 === MAX_RUNS) refuse("unavailable", "too many writes at once: try again");
      const longest = Math.min(FIRST_WAIT * 2 ** run, LONGEST_WAIT);
      await new Promise((resolve) => setTimeout(resolve, Math.random() * longest));
    }
  }
}
