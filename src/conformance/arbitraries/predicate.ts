import { PROFILES } from "../../profile.js";
import {
  findOperator,
  hasOperator,
  OPERATOR_NAMES,
  OPERATORS,
  type Operator,
  type OperatorName,
} from "../../schema/operators.js";
import type { Json } from "../../types.js";
import type { JsonObject } from "../oracle/model.js";
import { choose, chooseSkewed, chooseWeighted, derive, happens, several } from "./choice.js";
import {
  domainOf,
  makeClockTime,
  makeSearch,
  makeTextOperand,
  makeValue,
  RECORD_IDS,
} from "./domains.js";
import { isInTier } from "./levels.js";
import type { QueriedSchema, WalkedPath } from "./paths.js";

function operatorsWith(operands: readonly Operator["operand"][]): readonly OperatorName[] {
  return OPERATOR_NAMES.filter((name) => operands.includes(OPERATORS[name].operand));
}

const TEXT_OPERATORS = operatorsWith(["text", "pattern"]);
const CONNECTIVES = operatorsWith(["conditions"]);
const TYPED_OPERATORS = operatorsWith(["text", "pattern", "bound", "items"]);

export function isComparable(path: WalkedPath): boolean {
  return !["vector", "file", "file[]"].includes(path.column.type);
}

/** Kinds of operands: of a list, several values; `conditions` are predicates. */
export const LITERALS = ["value", "list", "empty", "null", "conditions"] as const;
export type LiteralKind = (typeof LITERALS)[number];

/** The kinds of operands of an operator at a path (F-2, F-4, F-8, F-13, F-15). */
export function literalsOf(operator: OperatorName, path: WalkedPath): readonly LiteralKind[] {
  switch (OPERATORS[operator].operand) {
    case "literal":
      return holdsLists(path) ? ["value", "empty", "null"] : ["value", "list", "empty", "null"];
    case "conditions":
      return LITERALS.filter((kind) => kind !== "null" || /^\$(any|none)$/.test(operator));
    case "items":
      return ["value", "list", "empty", "conditions"];
    case "text":
    case "pattern":
      return ["value", "empty"];
    case "bound":
      return ["value"];
    case "paths":
      return ["value", "list"];
  }
}

/** Creates a condition that the path's type allows (F-5 … F-18); `depth` bounds its nesting. */
export function makePredicate(
  branch: QueriedSchema,
  path: WalkedPath,
  seed: number,
  depth = 2,
): Json {
  const operators = operatorsOf(branch, path);
  // An object literal without `$` keys would be the nested form.
  const isObject = path.column.type === "object";
  const allows = (kind: LiteralKind): boolean => isInTier(`literal ${kind}`, branch.tier);
  const form = chooseWeighted(seed, "form", {
    plain: isObject ? 0 : 16,
    null: allows("null") ? 4 : 0,
    list: allows("list") && !isObject && !holdsLists(path) ? 4 : 0,
    equality: isObject ? 60 : 36,
    operator: operators.length > 0 ? 40 : 0,
    two: operators.length > 0 ? 20 : 0,
    connective: depth > 0 ? 20 : 0,
  });
  const make = (label: string, from: readonly OperatorName[]): JsonObject => {
    const own = derive(seed, label);
    const operator = choose(own, "operator", from);
    const literal = choose(own, "literal", COMMON_LITERALS[OPERATORS[operator].operand]);
    const fits = literalsOf(operator, path).includes(literal) && allows(literal);
    const levels = { operator, literal: fits ? literal : "value" } as const;
    return makeCondition(branch, path, levels, own, depth);
  };
  // F-12: of bounds a lower and an upper one.
  const boundsOf = (isLow: boolean): readonly OperatorName[] => {
    const bounds = operators.filter((name) => {
      const operator: Operator = OPERATORS[name];
      return operator.operand === "bound" && operator.isLow === isLow;
    });
    return bounds.length === 0 ? operators : bounds;
  };
  switch (form) {
    case "plain":
      return makePlain(branch, path, derive(seed, "plain"));
    case "null":
      return null;
    case "list":
      return makeValues(branch, path, seed, makePlain);
    case "equality":
      return make("equality", ["$is", "$isNot"]);
    case "operator":
      return make("one", operators);
    case "two":
      return { ...make("one", boundsOf(true)), ...make("two", boundsOf(false)) };
    case "connective":
      return make("connective", CONNECTIVES);
  }
}

/** Kinds of operands as often as in generated filters. */
const COMMON_LITERALS: { readonly [operand in Operator["operand"]]: readonly LiteralKind[] } = {
  literal: ["value", "value", "value", "list", "list", "null"],
  conditions: ["value", "conditions", "conditions", "list", "empty", "null"],
  items: ["value", "value", "conditions", "list", "list", "empty"],
  text: ["value"],
  pattern: ["value"],
  bound: ["value"],
  paths: ["value"],
};

function makeValues(
  branch: QueriedSchema,
  path: WalkedPath,
  seed: number,
  make: typeof makeLiteral,
): Json[] {
  return several(seed, "list", happens(seed, "empty list", 0.1) ? 0 : 1, 3, (own) =>
    isInTier("literal null", branch.tier) && happens(own, "null", 0.12)
      ? null
      : make(branch, path, own),
  );
}

/** Creates a condition with an operator and a kind of operand. */
export function makeCondition(
  branch: QueriedSchema,
  path: WalkedPath,
  { operator, literal }: { readonly operator: OperatorName; readonly literal: LiteralKind },
  seed: number,
  depth = 0,
): JsonObject {
  const { operand } = OPERATORS[operator];
  switch (operand) {
    case "literal":
      if (literal === "null") return { [operator]: null };
      if (literal === "empty") return { [operator]: [] };
      if (literal === "list") return { [operator]: makeValues(branch, path, seed, makeLiteral) };
      return { [operator]: makeLiteral(branch, path, seed) };
    case "conditions":
      return { [operator]: makeParts(branch, path, literal, seed, depth) };
    case "items":
      if (literal === "empty") return { [operator]: [] };
      if (literal === "value") return { [operator]: makeSearch(seed) };
      if (literal === "conditions") return { [operator]: makeItemCondition(branch, seed, 1) };
      return {
        [operator]: several(seed, "item", 1, 3, (own) => makeItemCondition(branch, own, 1)),
      };
    case "text":
    case "pattern":
      if (literal === "empty") return { [operator]: "" };
      return { [operator]: makeTextOperand(operator, seed, textsAt(branch, path)) };
    case "paths":
      return { [operator]: path.names.join(".") };
    case "bound": {
      if (path.kind !== "json path") return { [operator]: makeLiteral(branch, path, seed) };
      const strings = PROFILES[branch.base].textRanges && happens(seed, "strings", 0.5);
      return { [operator]: strings ? makeSearch(seed) : choose(seed, "number", [0, 1, 2, -1.5]) };
    }
  }
}

/** The texts that a path may have. */
function textsAt(branch: QueriedSchema, path: WalkedPath): readonly Json[] | undefined {
  if (path.kind === "id") return RECORD_IDS;
  return path.kind === "column" ? domainOf(branch, path.column.type) : undefined;
}

/** F-2, F-9, F-15: one part, or a list of them; $any and $none may list null. */
function makeParts(
  branch: QueriedSchema,
  path: WalkedPath,
  literal: LiteralKind,
  seed: number,
  depth: number,
): Json {
  const value = (own: number): Json => {
    const plain = makePlain(branch, path, own);
    // A lone list would be the list of the parts, an object the nested form.
    const isScalar = typeof plain !== "object" && path.column.type !== "object";
    return isScalar ? plain : { $is: makeLiteral(branch, path, own) };
  };
  switch (literal) {
    case "value":
      return value(seed);
    case "empty":
      return [];
    case "null":
      return [null, value(seed)];
    case "list":
      return several(seed, "values", 1, 3, value);
    case "conditions": {
      if (depth === 0) {
        const other = makeLiteral(branch, path, derive(seed, "other"));
        return [{ $is: makeLiteral(branch, path, seed) }, { $isNot: other }];
      }
      const part = (own: number): Json => makePredicate(branch, path, own, depth - 1);
      return several(seed, "members", 1, 3, part).filter((each) => each !== null);
    }
  }
}

/** F-13: a value, or a predicate without a column. */
function makeItemCondition(branch: QueriedSchema, seed: number, depth: number): Json {
  const text = makeSearch(seed);
  const form = chooseWeighted(seed, "item form", {
    plain: 30,
    is: 8,
    isNot: 8,
    isList: 6,
    text: 30,
    connective: depth > 0 ? 25 : 0,
  });
  switch (form) {
    case "plain":
      return text;
    case "is":
      return { $is: text };
    case "isNot":
      return { $isNot: text };
    case "isList":
      return { $is: [text, makeSearch(derive(seed, "other"))] };
    case "text": {
      const operator = choose(seed, "operator", operatorsInTier(branch, TEXT_OPERATORS));
      return { [operator]: makeTextOperand(operator, seed) };
    }
    case "connective": {
      const connective = choose(seed, "connective", CONNECTIVES);
      const members = several(seed, "part", 0, 2, (own) =>
        makeItemCondition(branch, own, depth - 1),
      );
      const alone = members[0];
      return { [connective]: alone !== undefined && members.length === 1 ? alone : members };
    }
  }
}

function operatorsOf(branch: QueriedSchema, path: WalkedPath): readonly OperatorName[] {
  return operatorsInTier(branch, TYPED_OPERATORS).filter((name) =>
    allowsOperator(branch, path, name),
  );
}

function operatorsInTier(
  { tier }: QueriedSchema,
  names: readonly OperatorName[],
): readonly OperatorName[] {
  return names.filter((name) => isInTier(`operator ${name}`, tier));
}

/** F-17, F-18: json paths have any type. */
export function allowsOperator(
  { base }: Pick<QueriedSchema, "base">,
  { kind, column }: WalkedPath,
  name: OperatorName,
): boolean {
  if (findOperator(name, base) === undefined) return false;
  if (kind === "json path" && OPERATORS[name].operand !== "paths") return true;
  return hasOperator(kind === "id" ? "id" : column.type, OPERATORS[name], PROFILES[base]);
}

function holdsLists(path: WalkedPath): boolean {
  return path.column.type === "multiple" || path.column.type === "json";
}

/** Creates a value without `$is`, which must not look like a predicate or the nested form (F-7). */
function makePlain(branch: QueriedSchema, path: WalkedPath, seed: number): Json {
  if (path.column.type === "link") return chooseSkewed(seed, "id", domainOf(branch, "link"));
  const literal = makeLiteral(branch, path, seed);
  return JSON.stringify(literal) === "{}" ? { $is: literal } : literal;
}

function makeLiteral(branch: QueriedSchema, path: WalkedPath, seed: number): Json {
  switch (path.kind) {
    case "metadata":
      return path.column.type === "int" ? derive(seed, "version") % 4 : makeClockTime(seed);
    case "id":
      return choose(seed, "id", RECORD_IDS);
    case "json path":
      return choose<Json>(seed, "json", JSON_LITERALS);
    case "column":
      // F-8: a string matches an item of a list.
      if (path.column.type === "multiple" && happens(seed, "item", 0.4)) return makeSearch(seed);
      return makeValue(branch, path.column, seed);
  }
}

const JSON_LITERALS: readonly Json[] = [1, 2, 10, "a", "x", "ab", true, [1], { b: 2 }, ["a", "b"]];
