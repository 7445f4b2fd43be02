import { readPointer } from "../../errors.js";
import { choose, chooseWeighted, happens } from "../arbitraries/choice.js";
import type { WireRequest, WireResponse } from "../target/connection.js";
import type { Fixture } from "../target/target.js";
import { isObject } from "../vectors/pattern.js";
import { type Client, LAST_STEP, type Round, runClients } from "./clients.js";
import { isLinearizable, type Model, minimizeHistory, type Operation } from "./linearize.js";
import {
  type Act,
  describeAct,
  describeRecord,
  RECORD_MODEL,
  type RecordInput,
  TRANSACTION_MODEL,
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

/** A request of a client, as an operation on an object. */
interface Move<I> {
  /** Identifies the object; histories of different ones are independent. */
  readonly key: string;
  readonly input: I;
  readonly request: WireRequest;
  /** Maps an answer to the model's output; undefined if it proves nothing. */
  readonly describe: (response: WireResponse) => string | undefined;
}

interface Step<I> extends Operation<I> {
  readonly key: string;
  readonly request: WireRequest;
}

/** Lets clients make moves; their answers must be those of some order of the requests. */
async function playRound<S, I>(
  round: Round,
  model: Model<S, I>,
  movesOf: (client: Client, seed: number) => readonly Move<I>[],
): Promise<RoundOutcome> {
  const steps: Step<I>[] = [];
  await runClients(round, async (client, seed) => {
    for (const { key, input, request, describe } of movesOf(client, seed)) {
      const { sent, answered, response, repeats } = await client.send(request);
      const step = { client: client.number, key, input, request };
      const lost = { output: undefined, answered: Number.POSITIVE_INFINITY };
      if (repeats !== undefined) steps.push({ ...step, sent: repeats, ...lost });
      const output = response && describe(response);
      steps.push({ ...step, sent, ...(output === undefined ? lost : { output, answered }) });
    }
  });
  return checkHistory(model, steps);
}

function keysOf({ name }: Round): readonly string[] {
  return ["a", "b", "c"].map((key) => `${name}${key}`);
}

export function runRecordRound(round: Round): Promise<RoundOutcome> {
  const { database, connection } = round;
  const meta = connection.profile.metadataColumn;
  const versions = new Map<string, number>();
  return playRound(round, RECORD_MODEL, (client, seed) => {
    const move = (key: string, input: RecordInput): Move<RecordInput> => ({
      key,
      input,
      request: recordRequest(database, key, input),
      describe({ status, body }) {
        const record: unknown = input.kind === "query" ? readPointer(body, "/records/0") : body;
        const version = readPointer(record, `/${meta}/version`);
        if (typeof version === "number") versions.set(`${client.number} ${key}`, version);
        return describeAnswer(status, record, version);
      },
    });
    if (seed === LAST_STEP) {
      return keysOf(round).flatMap((key) => [
        move(key, { kind: "get" }),
        move(key, { kind: "query" }),
      ]);
    }
    const key = choose(seed, "key", keysOf(round));
    const seen = versions.get(`${client.number} ${key}`);
    return [move(key, chooseInput(seed, client.nextValue(), seen))];
  });
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

/** Other statuses match no order. */
function describeAnswer(status: number, record: unknown, version: unknown): string {
  if (status === 204) return "deleted";
  if (status === 404 || (status === 200 && record === undefined)) return "no record";
  if (status === 422) return "refused";
  if ((status !== 200 && status !== 201) || !isObject(record)) return `status ${status}`;
  return describeRecord({ version: Number(version), value: Number(record.value) });
}

export function runUniqueRound(round: Round): Promise<RoundOutcome> {
  const { database, name } = round;
  const owned = new Map<string, string>();
  return playRound(round, UNIQUE_MODEL, (client, seed): Move<UniqueInput>[] => {
    if (seed === LAST_STEP) return [];
    const [own] = [...owned].filter(([id]) => id.startsWith(`${name}-${client.number}-`));
    const kind = own !== undefined && happens(seed, "delete", 0.4) ? "delete" : "insert";
    const made = [`${name}-${client.number}-${client.nextValue()}`] as const;
    const [id, key = choose(seed, "key", keysOf(round))] = kind === "delete" ? (own ?? made) : made;
    owned.delete(id);
    const path = `/db/${database}:main/tables/codes/data/${id}`;
    const request =
      kind === "insert"
        ? { method: "PUT", path, query: { createOnly: "true" }, body: { code: key } }
        : { method: "DELETE", path };
    const describe = ({ status }: WireResponse): string => {
      if (status === 201) owned.set(id, key);
      return UNIQUE_ANSWERS[status] ?? `status ${status}`;
    };
    return [{ key, input: { kind, id }, request, describe }];
  });
}

const UNIQUE_ANSWERS: { readonly [status: number]: string } = {
  201: "inserted",
  204: "deleted",
  400: "refused",
};

export async function runTransactionRound(round: Round): Promise<RoundOutcome> {
  const { connection, database } = round;
  const keys = keysOf(round);
  const meta = connection.profile.metadataColumn;
  const address = `/db/${database}:main/`;
  const records = keys.map((id) => ({ id, value: 0 }));
  const path = `${address}tables/records/bulk`;
  await connection.send({ method: "POST", path, body: { records } });
  return playRound(round, TRANSACTION_MODEL, (client, seed): Move<readonly Act[]>[] => {
    const input = seed === LAST_STEP ? keys.map(get) : chooseActs(client, seed, keys);
    const describe = ({ status, body }: WireResponse): string | undefined => {
      if (status >= 400) return "refused";
      const answers = input.map((act, i) => {
        const columns = readPointer(body, `/results/${i}/columns`);
        const version = readPointer(columns, `/${meta}/version`);
        const value = Number(readPointer(columns, "/value"));
        if (act.kind === "fail" || typeof version !== "number") return undefined;
        return describeAct(act.key, { version, value });
      });
      return answers.includes(undefined) ? undefined : answers.join("; ");
    };
    const request = transactionRequest(address, input, meta);
    return [{ key: "", input, request, describe }];
  });
}

function get(key: string): Act {
  return { kind: "get", key };
}

/** Chooses a form of transaction. */
function chooseActs(client: Client, seed: number, keys: readonly string[]): readonly Act[] {
  const one = choose(seed, "one", keys);
  const other = choose(
    seed,
    "other",
    keys.filter((key) => key !== one),
  );
  const set = (key: string): Act => ({ kind: "update", key, value: client.nextValue() });
  const forms: { readonly [form in keyof typeof FORMS]: () => Act[] } = {
    readOne: () => [get(one)],
    readTwo: () => [get(one), get(other)],
    writeTwo: () => [set(one), set(other)],
    writeTwice: () => [set(one), set(one)],
    readThenWrite: () => [get(one), set(other)],
    refused: () => [set(one), set(other), { kind: "fail" }],
  };
  return forms[chooseWeighted(seed, "form", FORMS)]();
}

const FORMS = {
  readOne: 2,
  readTwo: 4,
  writeTwo: 3,
  writeTwice: 1,
  readThenWrite: 2,
  refused: 2,
} as const;

function transactionRequest(address: string, acts: readonly Act[], meta: string): WireRequest {
  const table = "records";
  const columns = ["value", meta];
  const operations = acts.map((act) => {
    if (act.kind === "fail") return { delete: { table, id: "missing", failIfMissing: true } };
    const { key: id } = act;
    return act.kind === "get"
      ? { get: { table, id, columns } }
      : { update: { table, id, fields: { value: act.value }, columns } };
  });
  return { method: "POST", path: `${address}transaction`, body: { operations } };
}

/** Checks each object separately: linearizability is composable. */
function checkHistory<S, I>(model: Model<S, I>, steps: readonly Step<I>[]): RoundOutcome {
  let unclear = steps.filter(({ output }) => output === undefined).length * 2 > steps.length;
  for (const key of [...new Set(steps.map((step) => step.key))].sort()) {
    const own = steps.filter((step) => step.key === key);
    const verdict = isLinearizable(model, own);
    unclear ||= verdict === undefined;
    if (verdict !== false) continue;
    const least = minimizeHistory(model, own) as Step<I>[]; // by construction
    const lost = own.filter(({ output }) => output === undefined);
    const message =
      least.length === 1
        ? `no state gives client ${least[0]?.client} this answer, regardless of the others`
        : `no order of ${least.length} operations gives these answers, regardless of the others`;
    return { message, history: renderHistory([...least, ...findNeighbours(least, own), ...lost]) };
  }
  return unclear ? "unclear" : "held";
}

/** Operations that show the state before a single wrong one, or were refused to change it. */
function findNeighbours<I>(least: readonly Step<I>[], own: readonly Step<I>[]): Step<I>[] {
  const [wrong] = least;
  if (wrong === undefined || least.length > 1) return [];
  const states = [...(wrong.output ?? "").matchAll(/(?:(\w+): )?version (\d+)/g)];
  const isNear = ({ output = "", request }: Step<I>): boolean =>
    states.some(([state, key, version]) => {
      if (output === "refused") return JSON.stringify(request.body ?? "").includes(`"${key}"`);
      const before = state.replace(/\d+$/, String(Number(version) - 1));
      return output.includes(`${state},`) || output.includes(`${before},`);
    });
  return own.filter((step) => step !== wrong && isNear(step));
}

const LOST = "nothing: it may have taken effect, now or later, or not";

function renderHistory(steps: readonly Step<unknown>[]): string[] {
  const events = steps.flatMap(({ client, request, sent, answered, output = LOST }) => [
    { at: sent, text: `client ${client} sends     ${describeRequest(request)}` },
    { at: answered, text: `client ${client} receives  ${output}` },
  ]);
  return events.sort((a, b) => a.at - b.at).map(({ text }) => text);
}

function describeRequest({ method, path, query = {}, body }: WireRequest): string {
  const search = Object.entries(query).map(([name, value]) => `${name}=${value}`);
  const address = path.replace(/^\/db\/[^/]+\//, "") + (search.length > 0 ? "?" : "");
  const text = body === undefined ? "" : ` ${JSON.stringify(body)}`;
  return `${method} ${address}${search.join("&")}${text}`;
}
