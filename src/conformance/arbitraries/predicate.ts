import {
  hasOperator,
  OPERATOR_NAMES,
  OPERATORS,
  type Operator,
  type OperatorName,
} from "../../schema/operators.js";
import type { Json } from "../../types.js";
import type { JsonObject } from "../oracle/model.js";
import { choose, chooseSkewed, chooseWeighted, derive, happens, several } from "./choice.js";
import { makeClockTime, makeSearch, makeTextOperand, makeValue, RECORD_IDS } from "./domains.js";
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

/** Creates a condition that the path's type allows (F-5 … F-18); `depth` bounds its nesting. */
export function makePredicate(
  branch: QueriedSchema,
  path: WalkedPath,
  seed: number,
  depth = 2,
): Json {
  const literal = (label: string): Json => makeLiteral(branch, path, derive(seed, label));
  const literals = (make: typeof makeLiteral): Json[] =>
    several(seed, "list", happens(seed, "empty list", 0.1) ? 0 : 1, 3, (own) =>
      happens(own, "null", 0.12) ? null : make(branch, path, own),
    );
  const operators = operatorsOf(branch, path);
  // An object literal without `$` keys would be the nested form.
  const isObject = path.column.type === "object";
  const form = chooseWeighted(seed, "form", {
    plain: isObject ? 0 : 16,
    is: isObject ? 30 : 10,
    isNot: isObject ? 30 : 12,
    null: 4,
    isNull: 2,
    isNotNull: 2,
    list: isObject || holdsLists(path) ? 0 : 4,
    isList: holdsLists(path) ? 0 : 6,
    isNotList: holdsLists(path) ? 0 : 6,
    operator: operators.length > 0 ? 40 : 0,
    two: operators.length > 0 ? 8 : 0,
    connective: depth > 0 ? 20 : 0,
  });
  switch (form) {
    case "plain":
      return makePlain(branch, path, derive(seed, "plain"));
    case "is":
      return { $is: literal("is") };
    case "isNot":
      return { $isNot: literal("is not") };
    case "null":
      return null;
    case "isNull":
      return { $is: null };
    case "isNotNull":
      return { $isNot: null };
    case "list":
      return literals(makePlain);
    case "isList":
      return { $is: literals(makeLiteral) };
    case "isNotList":
      return { $isNot: literals(makeLiteral) };
    case "operator":
      return makeComparison(branch, path, operators, derive(seed, "one"));
    case "two":
      return {
        ...makeComparison(branch, path, operators, derive(seed, "one")),
        ...makeComparison(branch, path, operators, derive(seed, "two")),
      };
    case "connective":
      return makeConnective(branch, path, seed, depth);
  }
}

/** F-2, F-9: over an array, over the keys of a predicate, or over one plain value. */
function makeConnective(
  branch: QueriedSchema,
  path: WalkedPath,
  seed: number,
  depth: number,
): Json {
  const connective = choose(seed, "connective", CONNECTIVES);
  const member = (own: number): Json => makePredicate(branch, path, own, depth - 1);
  const alone = member(derive(seed, "alone"));
  // A lone list would be the list of the parts.
  const single = happens(seed, "alone", 0.35) && alone !== null && !Array.isArray(alone);
  if (single) return { [connective]: alone };
  const members = several(seed, "members", 0, 3, member);
  // F-15: null is a member of the lists of $any and $none only.
  const nullable = connective === "$any" || connective === "$none";
  return { [connective]: nullable ? members : members.filter((part) => part !== null) };
}

function makeComparison(
  branch: QueriedSchema,
  path: WalkedPath,
  operators: readonly OperatorName[],
  seed: number,
): JsonObject {
  const operator = choose(seed, "operator", operators);
  const { operand } = OPERATORS[operator];
  if (operand === "items") return { [operator]: makeItemOperand(seed) };
  if (operand !== "bound") return { [operator]: makeTextOperand(operator, seed) };
  if (path.kind !== "json path") return { [operator]: makeLiteral(branch, path, seed) };
  const strings = branch.base === "xata" && happens(seed, "strings", 0.5);
  return { [operator]: strings ? makeSearch(seed) : choose(seed, "number", [0, 1, 2, -1.5]) };
}

/** F-13: a value, a predicate without a column, or an array of those. */
function makeItemOperand(seed: number): Json {
  if (!happens(seed, "items", 0.35)) return makeItemCondition(derive(seed, "item"), 1);
  return several(seed, "item", 0, 3, (own) => makeItemCondition(own, 1));
}

function makeItemCondition(seed: number, depth: number): Json {
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
      const operator = choose(seed, "operator", TEXT_OPERATORS);
      return { [operator]: makeTextOperand(operator, seed) };
    }
    case "connective": {
      const connective = choose(seed, "connective", CONNECTIVES);
      const members = several(seed, "part", 0, 2, (own) => makeItemCondition(own, depth - 1));
      const alone = members[0];
      return { [connective]: alone !== undefined && members.length === 1 ? alone : members };
    }
  }
}

function operatorsOf({ base }: QueriedSchema, path: WalkedPath): readonly OperatorName[] {
  if (path.kind === "json path") return TYPED_OPERATORS;
  return TYPED_OPERATORS.filter((name) => hasOperator(path.column.type, OPERATORS[name], base));
}

function holdsLists(path: WalkedPath): boolean {
  return path.column.type === "multiple" || path.column.type === "json";
}

/** Creates a value without `$is`, which must not look like a predicate or the nested form (F-7). */
function makePlain(branch: QueriedSchema, path: WalkedPath, seed: number): Json {
  if (path.column.type === "link") return chooseSkewed(seed, "id", RECORD_IDS);
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

const JSON_LITERALS: readonly Json[] = [1, "a", "x", "ab", true, [1], { b: 2 }, ["a", "b"], -1.5];
