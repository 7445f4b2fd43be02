import { readPointer } from "../../errors.js";
import { choose, chooseWeighted, happens } from "../arbitraries/choice.js";
import type { WireRequest } from "../target/connection.js";
import type { Fixture } from "../target/target.js";
import { isObject } from "../vectors/pattern.js";
import { type Exchange, LAST_STEP, type Round, renderHistory, runClients } from "./clients.js";
import { isLinearizable, type Model, minimizeHistory, type Operation } from "./linearize.js";
import {
  describeRecord,
  RECORD_MODEL,
  type RecordInput,
  UNIQUE_MODEL,
  type UniqueInput,
} from "./models.js";

export interface Violation {
  readonly message: string;
  readonly history: readonly string[];
}

/** The outcome of a round; `unclear` if too little was answered or the search was aborted. */
export type RoundOutcome = Violation | "held" | "unclear";

export const FIXTURE: Fixture = {
  tables: [
    { name: "records", columns: [{ name: "value", type: "int" }], records: [] },
    { name: "codes", columns: [{ name: "code", type: "string", unique: true }], records: [] },
  ],
};

interface Step<I> extends Operation<I> {
  readonly key: string;
  readonly exchange: Exchange;
}

export async function runRecordRound(round: Round): Promise<RoundOutcome> {
  const { database, name, connection } = round;
  const keys = ["a", "b", "c"].map((key) => `${name}${key}`);
  const meta = connection.profile.metadataColumn;
  const steps: Step<RecordInput>[] = [];
  const versions = new Map<string, number>();
  await runClients(round, async (client, seed) => {
    const act = async (key: string, input: RecordInput): Promise<void> => {
      const exchange = await client.send(recordRequest(database, key, input));
      const { response } = exchange;
      const record: unknown =
        input.kind === "query" ? readPointer(response?.body, "/records/0") : response?.body;
      const version = readPointer(record, `/${meta}/version`);
      if (typeof version === "number") versions.set(`${client.number} ${key}`, version);
      const output = response && describeAnswer(response.status, record, version);
      const { repeated } = exchange;
      if (repeated !== undefined) {
        steps.push({ ...repeated, exchange: repeated, key, input, output: undefined });
      }
      steps.push({ ...exchange, exchange, key, input, output });
    };
    if (seed === LAST_STEP) {
      for (const key of keys)
        for (const kind of ["get", "query"] as const) await act(key, { kind });
      return;
    }
    const key = choose(seed, "key", keys);
    await act(key, chooseInput(seed, client.nextValue(), versions.get(`${client.number} ${key}`)));
  });
  return checkHistory(RECORD_MODEL, keys, steps);
}

function chooseInput(seed: number, value: number, seen: number | undefined): RecordInput {
  const weights = { get: 3, query: 2, put: 3, patch: 3, increment: 2, delete: 1 };
  const kind = chooseWeighted(seed, "kind", weights);
  const ifVersion = happens(seed, "ifVersion", 0.6) ? seen : undefined;
  if (kind === "put") return { kind, value, ifVersion, createOnly: happens(seed, "only", 0.5) };
  return kind === "patch" ? { kind, value, ifVersion } : { kind };
}

function recordRequest(database: string, id: string, input: RecordInput): WireRequest {
  const table = `/db/${database}:main/tables/records`;
  const path = `${table}/data/${id}`;
  const columns = { columns: "value" };
  switch (input.kind) {
    case "get":
      return { method: "GET", path, query: columns };
    case "query":
      return {
        method: "POST",
        path: `${table}/query`,
        body: { columns: ["value"], filter: { id } },
      };
    case "delete":
      return { method: "DELETE", path };
    case "increment":
      return { method: "PATCH", path, query: columns, body: { value: { $increment: 1 } } };
    default: {
      const { kind, value, ifVersion } = input;
      const query = {
        ...columns,
        ...(ifVersion === undefined ? {} : { ifVersion: String(ifVersion) }),
        ...(kind === "put" && input.createOnly ? { createOnly: "true" } : {}),
      };
      return { method: kind === "put" ? "PUT" : "PATCH", path, query, body: { value } };
    }
  }
}

/** Maps an answer to the model's output; other statuses match no order. */
function describeAnswer(status: number, record: unknown, version: unknown): string {
  if (status === 204) return "deleted";
  if (status === 404 || (status === 200 && record === undefined)) return "no record";
  if (status === 422) return "refused";
  if ((status !== 200 && status !== 201) || !isObject(record)) return `status ${status}`;
  return describeRecord({ version: Number(version), value: Number(record.value) });
}

export async function runUniqueRound(round: Round): Promise<RoundOutcome> {
  const { database, name } = round;
  const keys = ["a", "b", "c"].map((key) => `${name}${key}`);
  const steps: Step<UniqueInput>[] = [];
  const owned = new Map<string, { readonly id: string; readonly key: string }>();
  await runClients(round, async (client, seed) => {
    if (seed === LAST_STEP) return;
    const own = [...owned.values()].find(({ id }) => id.startsWith(`${name}-${client.number}-`));
    const kind = own !== undefined && happens(seed, "delete", 0.4) ? "delete" : "insert";
    const made = {
      id: `${name}-${client.number}-${client.nextValue()}`,
      key: choose(seed, "key", keys),
    };
    const { id, key } = kind === "delete" ? (own ?? made) : made;
    const path = `/db/${database}:main/tables/codes/data/${id}`;
    const exchange = await client.send(
      kind === "insert"
        ? { method: "PUT", path, query: { createOnly: "true" }, body: { code: key } }
        : { method: "DELETE", path },
    );
    const status = exchange.response?.status;
    const output = status === undefined ? undefined : describeUnique(status);
    steps.push({ ...exchange, exchange, key, input: { kind, id }, output });
    if (output === "inserted") owned.set(id, { id, key });
    else owned.delete(id);
  });
  return checkHistory(UNIQUE_MODEL, keys, steps);
}

function describeUnique(status: number): string {
  const words: { readonly [status: number]: string } = {
    201: "inserted",
    204: "deleted",
    400: "refused",
  };
  return words[status] ?? `status ${status}`;
}

const LOST = "nothing: it may have taken effect, now or later, or not";

/** Checks each object separately: linearizability is composable. */
function checkHistory<S, I>(
  model: Model<S, I>,
  keys: readonly string[],
  steps: readonly Step<I>[],
): RoundOutcome {
  let unclear = steps.filter(({ output }) => output === undefined).length * 2 > steps.length;
  for (const key of keys) {
    const own = steps.filter((step) => step.key === key);
    const verdict = isLinearizable(model, own);
    unclear ||= verdict === undefined;
    if (verdict !== false) continue;
    const least = minimizeHistory(model, own) as Step<I>[]; // by construction
    const lost = own.filter(({ output }) => output === undefined);
    const shown = [...least, ...findNeighbours(least, own), ...lost];
    const message =
      least.length === 1
        ? `no state gives client ${least[0]?.client} this answer, regardless of the others`
        : `no order of ${least.length} operations gives these answers, regardless of the others`;
    const entries = shown.map(({ exchange, output = LOST }) => ({ ...exchange, answer: output }));
    return { message, history: renderHistory(entries) };
  }
  return unclear ? "unclear" : "held";
}

/** Operations that show the record's state before a single wrong one. */
function findNeighbours<I>(least: readonly Step<I>[], own: readonly Step<I>[]): Step<I>[] {
  const versionOf = ({ output = "" }: Step<I>): number =>
    Number(/^version (\d+)/.exec(output)?.[1] ?? Number.NaN);
  const [wrong] = least;
  if (wrong === undefined || least.length > 1) return [];
  const version = versionOf(wrong);
  return own.filter(
    (step) =>
      step.exchange !== wrong.exchange &&
      (versionOf(step) === version || versionOf(step) === version - 1),
  );
}
