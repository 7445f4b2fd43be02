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
}

/** A request of one client; `sent` and `answered` are logical times over all clients. */
export interface Exchange {
  readonly client: number;
  readonly request: WireRequest;
  readonly sent: number;
  /** Infinite without an answer. */
  readonly answered: number;
  /** Undefined if it is unknown whether the request took effect. */
  readonly response: WireResponse | undefined;
}

export interface Client {
  readonly number: number;
  /** Returns an integer that no other client of the round uses; never 0. */
  readonly nextValue: () => number;
  send(request: WireRequest): Promise<Exchange>;
}

const STEPS = 8;

export async function runClients(
  round: Round,
  step: (client: Client, seed: number) => Promise<void>,
): Promise<void> {
  const open = createClients(round.connection);
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

function createClients(connection: Connection): (number: number) => Client {
  let time = 0;
  return (number) => {
    let values = 0;
    return {
      number,
      nextValue: () => number * 1000 + 10 * ++values,
      async send(request) {
        const sent = ++time;
        const exchange = { client: number, request, sent };
        const lost = { ...exchange, answered: Number.POSITIVE_INFINITY, response: undefined };
        try {
          const response = await connection.send(request);
          // A server error leaves the effect unknown.
          if (response.status >= 500 || response.status === 429) return lost;
          return { ...exchange, answered: ++time, response };
        } catch (error) {
          if (!(error instanceof NoAnswerError)) throw error;
          return lost;
        }
      },
    };
  };
}

export interface ShownExchange extends Pick<Exchange, "client" | "request" | "sent" | "answered"> {
  readonly answer: string;
}

export function renderHistory(exchanges: readonly ShownExchange[]): string[] {
  const events = exchanges.flatMap(({ client, request, sent, answered, answer }) => [
    { at: sent, text: `client ${client} sends     ${describeRequest(request)}` },
    { at: answered, text: `client ${client} receives  ${answer}` },
  ]);
  return events.sort((a, b) => a.at - b.at).map(({ text }) => text);
}

function describeRequest({ method, path, query = {}, body }: WireRequest): string {
  const search = Object.entries(query).map(([name, value]) => `${name}=${value}`);
  const address = path.replace(/^\/db\/[^/]+\//, "") + (search.length > 0 ? "?" : "");
  const text = body === undefined ? "" : ` ${JSON.stringify(body)}`;
  return `${method} ${address}${search.join("&")}${text}`;
}
