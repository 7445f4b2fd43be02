// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of vectors
import { OPERATOR_NAMES, OPERATORS, type OperatorName } from "../../schema/operators.js";
import { COLUMN_TYPES, TRAITS } from "../../schema/traits.js";
import type { Json } from "../../types.js";
import { columnOf, plainColumns, walkedPath } from "../arbitraries/feature-columns.js";
import { allowsOperator, makeCondition } from "../arbitraries/predicate.js";
import { PAGES } from "../arbitraries/walk.js";
import { branchPath, databasePath } from "../laws/scene.js";
import { ruleOfOperand } from "../report/causes.js";
import type { RuleId } from "../rules.js";
import { NoAnswerError } from "../target/connection.js";
import { type Sandbox, SeedingError } from "../target/sandbox.js";
import type { Capability, FixtureTable } from "../target/target.js";
import { runSteps } from "../vectors/run.js";
import type { VectorStep } from "../vectors/vector.js";

/** A feature that the service refused, with the requests that show it. */
export interface Refusal {
  readonly feature: string;
  readonly rule: RuleId;
  readonly table: FixtureTable;
  /** The last one was refused. */
  readonly steps: readonly VectorStep[];
  readonly found: Json;
}

interface Question extends Omit<Refusal, "found" | "table"> {
  /** Words of a refusal; default the name of the feature. */
  readonly words?: readonly string[];
}

const TABLE = branchPath("/tables/probe");

/** A request for each operation, with its main rule. */
const OPERATIONS: {
  readonly [capability in Capability]?: readonly [RuleId, string, string, Json?];
} = {
  tables: ["M-1", "PUT", branchPath("/tables/fresh")],
  records: ["X-1", "GET", `${TABLE}/data/a`],
  transaction: [
    ...(["X-3", "POST", branchPath("/transaction")] as const),
    { operations: [{ get: { table: "probe", id: "a" } }] },
  ],
  schema: ["X-4", "GET", `${TABLE}/columns`],
  summarize: ["X-6", "POST", `${TABLE}/summarize`, { summaries: { n: { count: "*" } } }],
  aggregate: ["X-6", "POST", `${TABLE}/aggregate`, { aggs: { n: { count: "*" } } }],
  search: ["Q-1", "POST", `${TABLE}/search`, { query: "a" }],
  branches: ["B-1", "PUT", branchPath("", "copy"), { from: "main" }],
  history: ["K-1", "POST", branchPath("/schema/history"), { page: { size: 1 } }],
  mappings: ["B-2", "GET", databasePath("/gitBranches")],
  resolve: ["B-5", "GET", databasePath("/resolveBranch")],
  settings: ["X-5", "GET", databasePath("/settings")],
};

/**
 * Asks for each operation, operator, column type, order and kind of page. Returns those refused twice
 * with 404, 405, 501 or an error that names them, and adds them to what the target lacks. Learns
 * nothing from a service that accepts no records, and nothing of queries if a plain one fails.
 */
export async function probeTarget(sandbox: Sandbox): Promise<Refusal[]> {
  const { connection } = sandbox;
  const refusals: Refusal[] = [];
  const { lacks, capabilities } = connection;
  const learn = (refusal: Refusal): void => {
    refusals.push(refusal);
    lacks.add(refusal.feature);
    capabilities.delete(nameOf(refusal.feature) as Capability); // another name is of none
  };
  try {
    const database = await openDatabase(sandbox, learn);
    if (database === undefined) return refusals;
    const table = tableOf(typesOf(sandbox));
    const send = (steps: readonly VectorStep[]) => runSteps(sandbox, database, steps, false);
    const ask = async (question: Question): Promise<void> => {
      const { feature, rule, steps, words = [nameOf(feature)] } = question;
      const failed = await send(steps);
      if (failed === undefined || !isAbsent(failed.mismatch.found, words)) return;
      // A fault that comes and goes is no absence.
      const again = await send(steps);
      if (again?.step !== failed.step || !isAbsent(again.mismatch.found, words)) return;
      const { found } = again.mismatch;
      learn({ feature, rule, table, steps: steps.slice(0, failed.step + 1), found });
    };
    if ((await send([queryStep({})])) === undefined) {
      const operators = operatorQuestions(sandbox);
      const together = { $all: operators.map(({ filter }) => filter) };
      const isWhole = (await send([queryStep({ filter: together })])) === undefined;
      const questions = [...(isWhole ? [] : operators), ...orderQuestions(), ...pageQuestions()];
      for (const question of questions) await ask(question);
    }
    for (const [capability, [rule, method, path, body]] of Object.entries(OPERATIONS)) {
      if (!capabilities.has(capability as Capability)) continue; // one of its keys
      const expect = { status: [200, 201, 202, 204] };
      const step = { method, path, expect, ...(body === undefined ? {} : { body }) };
      await ask({ feature: `operation ${capability}`, rule, steps: [step] });
    }
    await sandbox.close(database);
  } catch (error) {
    if (!(error instanceof NoAnswerError || error instanceof SeedingError)) throw error;
  }
  return refusals;
}

function typesOf({ connection: { lacks, capabilities } }: Sandbox): string[] {
  return COLUMN_TYPES.filter(
    (type) => !lacks.has(`type ${type}`) && (capabilities.has("files") || !type.startsWith("file")),
  );
}

function tableOf(types: readonly string[]): FixtureTable {
  const columns = types.map((type) => {
    const column = columnOf(type);
    if (type === "link") return { ...column, link: { table: "probe" } };
    return type === "object" ? { ...column, columns: plainColumns(types) } : column;
  });
  return { name: "probe", columns, records: [{ id: "a" }, { id: "b" }, { id: "c" }] };
}

/** Opens a database with a column of each type, first all together. */
async function openDatabase(
  sandbox: Sandbox,
  learn: (refusal: Refusal) => void,
): Promise<string | undefined> {
  const open = (types: readonly string[]): Promise<string | SeedingError> =>
    sandbox.open({ tables: [tableOf(types)] }).catch((error) => {
      if (error instanceof SeedingError) return error;
      throw error;
    });
  const opened = await open(typesOf(sandbox));
  if (typeof opened === "string") return opened;
  for (const type of typesOf(sandbox)) {
    const one = await open([type]);
    if (typeof one === "string") {
      await sandbox.close(one);
      continue;
    }
    const again = isAbsent(answerOf(one), [type]) ? await open([type]) : one;
    const found = typeof again === "string" ? "" : answerOf(again);
    if (!isAbsent(found, [type])) continue;
    const { columns } = tableOf([type]);
    const steps = [
      { method: "PUT", path: branchPath("/tables/typed"), expect: { status: 201 } },
      {
        method: "PUT",
        path: branchPath("/tables/typed/schema"),
        body: { columns } as unknown as Json, // columns are JSON
        expect: { status: 200 },
      },
    ];
    const rule = TRAITS[type as keyof typeof TRAITS].rule; // one of the types
    learn({ feature: `type ${type}`, rule, table: tableOf([]), steps, found });
  }
  const again = await open(typesOf(sandbox));
  return typeof again === "string" ? again : undefined;
}

function answerOf({ message }: SeedingError): string {
  return /answered (.*)$/s.exec(message)?.[1] ?? "";
}

function queryStep(body: { readonly [key: string]: Json }): VectorStep {
  return { method: "POST", path: `${TABLE}/query`, body, expect: { status: 200 } };
}

/** A condition with each operator, on a column of a type that allows it. */
function operatorQuestions(sandbox: Sandbox): (Question & { readonly filter: Json })[] {
  const { base, metadataColumn } = sandbox.connection.profile;
  const branch = { tables: [], base, metadataColumn };
  const types = ["id", ...typesOf(sandbox)];
  return OPERATOR_NAMES.flatMap((operator: OperatorName) => {
    const paths = types.flatMap((type) => walkedPath(type, "own") ?? []);
    const path = paths.find((each) => allowsOperator(branch, each, operator));
    if (path === undefined) return [];
    const condition = makeCondition(branch, path, { operator, literal: "value" }, 1);
    const isOfPaths = OPERATORS[operator].operand === "paths";
    const filter: Json = isOfPaths ? condition : { [path.names.join(".")]: condition };
    const rule = ruleOfOperand(OPERATORS[operator]);
    return [{ feature: `operator ${operator}`, rule, steps: [queryStep({ filter })], filter }];
  });
}

function orderQuestions(): Question[] {
  const sorts = { asc: { id: "asc" }, desc: { id: "desc" }, random: { "*": "random" } } as const;
  return Object.entries(sorts).map(([order, sort]) => ({
    feature: `order ${order}`,
    rule: order === "random" ? "S-4" : "S-1",
    steps: [queryStep({ sort })],
  }));
}

/** Pages relative to two first pages, `after` and `before` of a range. */
function pageQuestions(): Question[] {
  const first = { ...queryStep({ page: { size: 1 } }), capture: { of: "/meta/page/cursor" } };
  const second = {
    ...queryStep({ page: { size: 1, offset: 2 } }),
    capture: { until: "/meta/page/cursor" },
  };
  const cursors = { of: "${of}", until: "${until}", end: "end" };
  const relative = Object.entries(PAGES).map(([kind, keys]): Question => {
    const marks: readonly string[] = Object.values(keys);
    const page = Object.fromEntries(
      Object.entries(keys).map(([key, mark]) => [key, cursors[mark]]),
    );
    return {
      feature: `page ${kind}`,
      words: Object.keys(keys),
      rule: marks.includes("end") ? "G-10" : "start" in keys || "end" in keys ? "G-6" : "G-5",
      steps: [
        ...(marks.includes("of") ? [first] : []),
        ...(marks.includes("until") ? [second] : []),
        queryStep({ page }),
      ],
    };
  });
  const offset = queryStep({ page: { offset: 1 } });
  return [...relative, { feature: "page offset", rule: "G-1", steps: [offset] }];
}

function nameOf(feature: string): string {
  return feature.slice(feature.indexOf(" ") + 1);
}

/** Whether an answer such as `400: unknown operator $gt` says that a feature is not supported. */
function isAbsent(found: Json, words: readonly string[]): boolean {
  const [status = "", text = ""] = String(found)
    .toLowerCase()
    .split(/: (.*)/s);
  if (/^(404|405|501)$/.test(status)) return true;
  const named: readonly string[] = text.match(/\$?[\w[\]]+/g) ?? [];
  // Others are of keys, time or rates.
  const isRefused = /^4(?!01|03|08|29)/.test(status);
  return isRefused && words.some((word) => named.includes(word.toLowerCase()));
}
