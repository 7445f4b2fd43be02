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

/** A request of one client; `sent` and `answered` are logical times over all clients. */
export interface Exchange {
  readonly client: number;
  readonly request: WireRequest;
  readonly sent: number;
  /** Infinite without an answer. */
  readonly answered: number;
  /** Undefined if it is unknown whether the request took effect. */
  readonly response: WireResponse | undefined;
  /** The first sending of a repeated request, whose answer was lost. */
  readonly repeated?: Exchange | undefined;
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

function createClients(round: Round): (number: number) => Client {
  const { connection, faults, seed } = round;
  let time = 0;
  return (number) => {
    let [values, requests] = [0, 0];
    const nextFault = (): Fault | undefined =>
      faults[derive(seed, `fault ${number} ${requests++}`) % (4 * faults.length)];
    return {
      number,
      nextValue: () => number * 1000 + 10 * ++values,
      async send(request) {
        const fault = nextFault();
        if (fault === "delay") await new Promise((resolve) => setTimeout(resolve, DELAY));
        const lose = (sent: number): Exchange => ({
          client: number,
          request,
          sent,
          answered: Number.POSITIVE_INFINITY,
          response: undefined,
        });
        let repeated: Exchange | undefined;
        if (fault === "repeat") {
          repeated = lose(++time);
          await connection.send(request, true).catch(() => {});
        }
        const exchange = { client: number, request, sent: ++time, repeated };
        const lost = { ...lose(exchange.sent), repeated };
        try {
          const response = await connection.send(request, fault === "cut");
          // A server error leaves the effect unknown.
          if (response.status >= 500) return lost;
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
