import { derive } from "../arbitraries/choice.js";
import {
  type Connection,
  NoAnswerError,
  type WireRequest,
  type WireResponse,
} from "../target/connection.js";

export interface Round {
  readonly connection: Connection;
  readonly database: string;
  readonly name: string;
  readonly clients: number;
  readonly seed: number;
  /** Faults of the wire, together for one in four requests. */
  readonly faults: readonly Fault[];
}

/** The answer is cut off, the request comes late, or it comes twice. */
export type Fault = "cut" | "delay" | "repeat";

/** The answer to a request; times are logical, over all clients. */
export interface Exchange {
  readonly sent: number;
  /** Infinite without an answer. */
  readonly answered: number;
  /** Undefined if it is unknown whether the request took effect. */
  readonly response: WireResponse | undefined;
  /** When the request was first sent, if it was repeated after a lost answer. */
  readonly repeats: number | undefined;
}

export interface Client {
  readonly number: number;
  /** Returns an integer that no other client of the round uses; never 0. */
  readonly nextValue: () => number;
  send(request: WireRequest): Promise<Exchange>;
}

const STEPS = 8;
/** Milliseconds. */
const DELAY = 15;

export async function runClients(
  round: Round,
  step: (client: Client, seed: number) => Promise<void>,
): Promise<void> {
  const open = createClients(round);
  await Promise.all(
    Array.from({ length: round.clients }, async (_, i) => {
      const client = open(i + 1);
      for (let count = 0; count < STEPS; count++) {
        await step(client, derive(round.seed, `${i} ${count}`));
      }
    }),
  );
  await step(open(0), LAST_STEP);
}

export const LAST_STEP = -1;

function createClients({ connection, faults, seed }: Round): (number: number) => Client {
  let time = 0;
  return (number) => {
    let [values, requests] = [0, 0];
    return {
      number,
      nextValue: () => number * 1000 + 10 * ++values,
      async send(request) {
        const fault = faults[derive(seed, `fault ${number} ${requests++}`) % (4 * faults.length)];
        if (fault === "delay") await new Promise((resolve) => setTimeout(resolve, DELAY));
        const repeats = fault === "repeat" ? ++time : undefined;
        if (repeats !== undefined) await connection.send(request, true).catch(() => {});
        const sent = ++time;
        const response = await connection.send(request, fault === "cut").catch((error) => {
          if (!(error instanceof NoAnswerError)) throw error;
        });
        // A server error leaves the effect unknown.
        return response === undefined || response.status >= 500
          ? { sent, answered: Number.POSITIVE_INFINITY, response: undefined, repeats }
          : { sent, answered: ++time, response, repeats };
      },
    };
  };
}
