import { OPERATORS, type Operator, type OperatorName } from "../../schema/operators.js";
import { TRAITS } from "../../schema/traits.js";
import type { ColumnDefinition } from "../../types.js";
import { RULES, type RuleId } from "../rules.js";
import type { Fixture } from "../target/target.js";
import { isObject } from "../vectors/pattern.js";
import type { Vector, VectorStep } from "../vectors/vector.js";
import type { Cause, Counterexample, Divergence, HistoryCounterexample } from "./report.js";

/**
 * Groups divergences by the features of their counterexamples. One with all features of another, and
 * more, is of the same cause. The smallest first; of each cause one with only its features.
 */
export function groupByCause(divergences: readonly Divergence[]): Cause[] {
  const members = divergences.map((divergence, index) => {
    const features = featuresOf(divergence.counterexample);
    const found = Object.keys(features).sort();
    const names = found.length === 0 ? [divergence.check] : found;
    return { ...divergence, index, features, names, size: sizeOf(divergence) };
  });
  const groups: { names: CauseNames; readonly members: typeof members }[] = [];
  const least = (a: (typeof members)[number], b: typeof a): number =>
    a.names.length - b.names.length || a.size - b.size;
  for (const each of members.toSorted(least)) {
    const group = groups.find(({ names }) => uniteCauses(names, each.names));
    if (group === undefined) groups.push({ names: each.names, members: [each] });
    else {
      group.names = uniteCauses(group.names, each.names) ?? group.names;
      group.members.push(each);
    }
  }
  return groups
    .toSorted((a, b) => leastSize(a.members) - leastSize(b.members))
    .map(({ names, members }) => {
      const own = members.filter((each) => each.names.length === members[0]?.names.length);
      const ofFeatures = own.flatMap(({ rules, features }) =>
        rules.filter((rule) => Object.values(features).includes(rule)),
      );
      const [rule = "E-3"] = [...ofFeatures, ...own.flatMap(({ rules }) => rules)];
      return {
        what: names.join(" × "),
        rule,
        meaning: RULES.find(({ id }) => id === rule)?.meaning ?? "",
        divergences: members.map(({ index }) => index),
      };
    });
}

/** The features of a cause: a larger counterexample with all of them has the same cause. */
export type CauseNames = readonly string[];

export function causeOf(example: Example): CauseNames {
  return withoutTypes(Object.keys(featuresOf(example)));
}

/** Whether a counterexample has all features of a cause. */
export function hasCause(example: Example, causes: readonly CauseNames[]): boolean {
  const names = Object.keys(featuresOf(example));
  return causes.some((cause) => includesAll(names, cause));
}

/**
 * Unites two causes of which one has all features of the other, or that differ in the types of columns
 * alone; undefined if they are different causes.
 */
export function uniteCauses(one: CauseNames, other: CauseNames): CauseNames | undefined {
  if (includesAll(one, other)) return other;
  if (includesAll(other, one)) return one;
  const [rest, others] = [one, other].map((names) => withoutTypes(names, 1));
  return includesAll(rest!, others!) && includesAll(others!, rest!) ? rest : undefined;
}

/** Two other features tell a cause without the types of columns, which examples have by chance. */
function withoutTypes(names: CauseNames, least = 2): CauseNames {
  const rest = names.filter((name) => !Object.hasOwn(TRAITS, name));
  return rest.length >= least ? rest : names;
}

function includesAll(names: CauseNames, others: CauseNames): boolean {
  return others.every((name) => names.includes(name));
}

function leastSize(members: readonly { readonly size: number }[]): number {
  return Math.min(...members.map(({ size }) => size));
}

/** The length of the requests of a counterexample, with all repetitions. */
function sizeOf({ counterexample }: Divergence): number {
  const requests =
    counterexample.kind === "history"
      ? counterexample.history
      : counterexample.vector.steps.map(({ expect: _, ...request }) => request);
  const text = JSON.stringify([counterexample.fixture, requests]);
  // A count is that of a limit if it is a variable.
  const counts = [...text.matchAll(/"\$\{repeat\}":\[(\d+)?/g)].map(([, count = 1000]) =>
    Number(count),
  );
  return counts.reduce((sum, count) => sum + count, text.length);
}

/** Narrows the rules of a check of queries to those of a counterexample's features. */
export function narrowRules(
  rules: readonly RuleId[],
  counterexample: Counterexample,
): readonly RuleId[] {
  if (counterexample.kind === "history") return rules;
  const { steps } = counterexample.vector;
  if (steps.length === 0 || !steps.every(isQuery)) return rules;
  const own = new Set(Object.values(featuresOf(counterexample)));
  const narrowed = rules.filter((rule) => own.has(rule));
  return narrowed.length > 0 ? narrowed : rules;
}

export function isQuery({ method, path }: Pick<VectorStep, "method" | "path">): boolean {
  return method === "POST" && path.endsWith("/query");
}

/** The parts of a counterexample that show its features. */
export type Example =
  | HistoryCounterexample
  | {
      readonly kind: "vector";
      readonly fixture: Fixture;
      readonly vector: Pick<Vector, "steps" | "rules">;
    };

type Features = { [feature: string]: RuleId };

const RULE_OF_OPERAND: { readonly [operand in Operator["operand"]]: RuleId } = {
  literal: "F-8",
  conditions: "F-2",
  text: "F-10",
  pattern: "F-11",
  bound: "F-12",
  items: "F-13",
  paths: "F-4",
};

/** The main rule of an operator. */
export function ruleOfOperand({ operand, negated }: Operator): RuleId {
  return operand === "conditions" && negated === true ? "F-3" : RULE_OF_OPERAND[operand];
}

const RULE_OF_PAGE: { readonly [key: string]: RuleId } = {
  after: "G-5",
  before: "G-5",
  start: "G-6",
  end: "G-6",
  offset: "G-1",
};

/** The operation, operators, column types, orders and pages of the last step, with their rules. */
function featuresOf(counterexample: Example): Features {
  if (counterexample.kind === "history") return {};
  const { fixture, vector } = counterexample;
  const step = vector.steps.at(-1);
  if (step === undefined) return {};
  const body = bodyOf(vector.steps);
  if (!isQuery(step)) {
    const path = step.path.replace(/\/(tables|data|columns|dbs|db|file)\/[^/]+/g, "/$1/…");
    return { [`${step.method} ${path}`]: vector.rules[0] ?? "E-3" };
  }
  const features: Features = {};
  const names = new Set<string>();
  visitKeys(body.filter, (key) => {
    if (Object.hasOwn(OPERATORS, key)) {
      features[key] = ruleOfOperand(OPERATORS[key as OperatorName]); // one of its keys
    } else names.add(key);
  });
  for (const [path, direction] of sortKeysOf(body.sort)) {
    features[`sort ${direction}`] = direction === "random" ? "S-4" : "S-3";
    names.add(path);
  }
  for (const [key, value] of Object.entries(isObject(body.page) ? body.page : {})) {
    const rule = RULE_OF_PAGE[key];
    if (rule !== undefined) features[`page ${key}`] = value === "end" ? "G-10" : rule;
  }
  if (body.columns !== undefined) features.columns = "P-2";
  for (const type of typesOf(fixture, names)) features[type] = TRAITS[type].rule;
  return features;
}

/** The body of the last step, with the query of its cursor. */
function bodyOf(steps: readonly VectorStep[]): { readonly [key: string]: unknown } {
  const step = steps.at(-1);
  const body = isObject(step?.body) ? step.body : {};
  const [, variable] = /\$\{(c\d+)\}/.exec(JSON.stringify(body.page ?? null)) ?? [];
  const origin = steps.findIndex(({ capture = {} }) => Object.hasOwn(capture, variable ?? ""));
  return origin < 0 ? body : { ...bodyOf(steps.slice(0, origin + 1)), ...body };
}

function visitKeys(value: unknown, visit: (key: string) => void): void {
  if (typeof value !== "object" || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    if (!Array.isArray(value)) visit(key);
    else if (typeof member === "string") visit(member);
    visitKeys(member, visit);
    if (key.startsWith("$") && typeof member === "string") visit(member);
  }
}

function sortKeysOf(sort: unknown): [string, string][] {
  return [sort ?? []].flat().flatMap((key): [string, string][] => {
    if (typeof key === "string") return [[key, "asc"]];
    return isObject(key) ? Object.entries(key).map(([path, way]) => [path, String(way)]) : [];
  });
}

/** The types of the columns at the ends of paths. */
function typesOf({ tables }: Fixture, paths: ReadonlySet<string>): ColumnDefinition["type"][] {
  const ends = new Set(Array.from(paths, (path) => path.split("->")[0]?.split(".").at(-1)));
  const listAll = (columns: readonly ColumnDefinition[]): ColumnDefinition[] =>
    columns.flatMap((column) => [column, ...listAll(column.columns ?? [])]);
  const all = tables.flatMap(({ columns }) => listAll(columns));
  return [...new Set(all.filter(({ name }) => ends.has(name)).map(({ type }) => type))];
}
