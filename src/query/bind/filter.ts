import { type At, below, describe, refuse } from "../../errors.js";
import { leavesOf, type StoredValue } from "../../schema/columns.js";
import { findOperator, hasOperator, type Operator } from "../../schema/operators.js";
import { isFileType } from "../../schema/stored-files.js";
import { isArray, isPlainObject } from "../../value/json.js";
import {
  type ColumnRef,
  isJsonPath,
  type Predicate,
  type Ref,
  TRUE,
} from "../bound/bound-query.js";
import {
  type Condition,
  coerceBound,
  coerceLiteral,
  equals,
  equalsAny,
  isNull,
  itemOf,
  normalize,
  refuseFilter,
  refuseForType,
  refuseNull,
  refuseOperator,
  requireComparable,
  requireNoList,
  requireNoListIn,
  requireReach,
  testOf,
  textTest,
} from "./condition.js";
import { type ResolvedPath, resolvePath, type Scope } from "./scope.js";

/** Binds a filter (section F, rule L-3) in request order (E-6); without one, all records match. */
export function bindFilter(scope: Scope, filter: unknown, at: At, isLimited = false): Predicate {
  if (filter === undefined) return TRUE;
  const shared = { run: scope.run, isLimited, predicates: 0 };
  const inner: Scope = { ...scope, clause: "filter" };
  const condition = parse({ shared, at, level: 1, ref: undefined, inner }, filter, "alone");
  return normalize(condition, scope.run.profile.nullComparison);
}

/** Binds a filter of a search or an aggregation, which the profile may limit (rule Q-7). */
export function bindStoreFilter(scope: Scope, filter: unknown, at: At): Predicate {
  return bindFilter(scope, filter, at, scope.run.profile.searchStore === "limited");
}

/** The subject of a condition: a record, or the value at a path. */
type Subject = RecordSubject | ValueSubject;

interface FilterState extends Pick<Scope, "run"> {
  readonly isLimited: boolean;
  predicates: number;
}

interface ValueSubject extends ResolvedPath {
  readonly shared: FilterState;
  readonly at: At;
  /** Nesting depth (rule L-3). */
  readonly level: number;
}

interface RecordSubject extends Omit<ValueSubject, "ref"> {
  readonly ref: undefined;
  readonly inner: Scope;
}

/** At a path; the operand of a list operator, `$any` or `$all`; a member of such a list; of `$is`. */
type Position = "alone" | "item" | "any" | "all" | "member" | "each" | "literal";

/** Parses a filter object, a plain value, or a list of either (rules F-1 … F-9). */
function parse(subject: Subject, value: unknown, position: Position): Condition {
  const { ref, at, shared } = subject;
  const list = isArray(value) ? value : undefined;
  const object = position !== "literal" && isPlainObject(value) ? value : undefined;
  const isOperand = position === "any" || position === "all";
  const combine = position === "any" ? "any" : "all";
  if (ref === undefined) {
    if (object !== undefined) return parseKeys(subject, combine, object);
    if (!isOperand) refuseFilter(`expected a filter object, found ${describe(value)}`, at, "F-1");
    if (list !== undefined) {
      const parseMember = (member: unknown, index: number): Condition =>
        parse(step(subject, index), member, "alone");
      return join(combine, Array.from(list, parseMember));
    }
    const expected = "a filter object or an array of them";
    return refuseFilter(`expected ${expected}, found ${describe(value)}`, at, "F-2");
  }
  if (list !== undefined && (isOperand || position === "item")) {
    return parseMembers(subject, list, position === "all" ? "each" : "member");
  }
  requireLevel(subject);
  const keyed = object && subjectOfKeys(subject, object, position);
  if (object !== undefined && keyed !== undefined) return parseKeys(keyed, combine, object);
  if (position !== "member" && position !== "literal") countPredicate(subject);
  if (value === null) {
    if (position === "all" || position === "each") refuseNull(ref, at);
    return isNull(ref);
  }
  requireTest(subject, ref, "$is");
  if (shared.isLimited) requireNoListIn(ref, at);
  if (list !== undefined && ref.type !== "multiple" && ref.type !== "json") {
    return parseMembers(deeper(subject), list, position === "literal" ? position : "member");
  }
  return equals(ref, shared.run.profile, value, at);
}

function parseKeys(subject: Subject, combine: "all" | "any", object: GivenObject): Condition {
  requireLevel(subject);
  const parts: Condition[] = [];
  for (const key of Object.keys(object)) {
    const value = object[key];
    if (value === undefined) continue;
    parts.push(
      subject.ref === undefined && !isOperator(key)
        ? parsePath(step(subject, key), key, value)
        : parseOperator(step(subject, key), key, value),
    );
  }
  if (parts.length === 0 && subject.level > 1) {
    const reason = { kind: "empty_filter", key: innermostKey(subject.at) } as const;
    refuseFilter("expected a condition, found an empty object", subject.at, "F-2", reason);
  }
  return join(combine, parts);
}

function innermostKey(at: At): string {
  if (typeof at === "string") return at;
  return typeof at.key === "string" ? at.key : innermostKey(at.above);
}

function parsePath(
  { shared, at, level, inner: scope }: RecordSubject,
  path: string,
  value: unknown,
): Condition {
  const { ref, inner } = resolvePath(scope, path, at);
  if (shared.isLimited) requireReach(ref, at);
  if (ref.type === "link" && inner === undefined) {
    const [name = "$"] = isPlainObject(value) ? Object.keys(value) : [];
    // T-17: throws for a path through a link to a missing table.
    if (!isOperator(name)) resolvePath(scope, `${path}.${name}`, below(at, name));
  }
  // F-7: file members need dotted paths.
  const names = isFileType(ref.type) ? undefined : inner;
  return parse({ shared, at, level: level + 1, ref, inner: names }, value, "alone");
}

/**
 * Returns the subject for an object's keys; undefined for a plain value (rule F-7). An empty object
 * under an operator is no value, except of json (rule F-2).
 */
function subjectOfKeys(
  subject: ValueSubject,
  object: GivenObject,
  position: Position,
): Subject | undefined {
  const { shared, at, level, ref, inner } = subject;
  const keys = Object.keys(object);
  const operators = keys.filter(isOperator).length;
  const isMember = position !== "alone" && position !== "item";
  const isEmpty = isMember && keys.length === 0 && inner === undefined && ref.type !== "json";
  if (isEmpty || (operators > 0 && operators === keys.length)) return subject;
  if (operators > 0 && !(isMember && inner !== undefined)) {
    const fault = "operators and names cannot be mixed in one object";
    refuseFilter(`column [${ref.path}]: ${fault}`, at, "F-7");
  }
  return inner && { shared, at, level, ref: undefined, inner };
}

function parseOperator(subject: Subject, name: string, operand: unknown): Condition {
  const { ref, inner, at } = subject;
  const { base } = subject.shared.run.profile;
  const operator = findOperator(name, base);
  if (operator?.operand === "conditions") {
    if (ref !== undefined) requireTest(subject, ref, name);
    return negateIf(operator, parse(deeper(subject), operand, operator.combine));
  }
  if (operator?.operand === "paths" && inner !== undefined) {
    return parseExistence(subject, inner, operator, operand);
  }
  if (operator === undefined || operator.operand === "paths" || ref === undefined) {
    return refuseOperator(name, base, ref, at);
  }
  if (operator.operand === "literal") {
    requireTest(subject, ref, name);
    countPredicate(subject);
    return negateIf(operator, parse(subject, operand, "literal"));
  }
  countPredicate(subject);
  if (operand === null && ref.type !== "object") refuseNull(subject.ref, subject.at);
  const { profile } = subject.shared.run;
  if (ref.type === "object" || !(isJsonPath(ref) || hasOperator(ref.type, operator, profile))) {
    return refuseForType(ref, name, operator.columns === "range" ? "F-12" : "F-18", at);
  }
  requireTest(subject, ref, name);
  switch (operator.operand) {
    case "items": {
      const { quantifier } = operator;
      const subjectOfItem = { ...deeper(subject), ref: itemOf(ref), inner: undefined };
      const item = parse(subjectOfItem, operand, "item");
      return negateIf(operator, testOf(ref, { kind: "items", quantifier, item }));
    }
    case "bound": {
      const { isLow, inclusive } = operator;
      const bound = { value: coerceBound(ref, profile, operand, at), inclusive };
      const [low, high] = isLow ? [bound] : [undefined, bound];
      return testOf(ref, { kind: "range", low, high });
    }
    default:
      return testOf(ref, textTest(ref, name, operand, at));
  }
}

/** Parses the members of a list; unless each must match, plain values are merged into one test. */
function parseMembers(
  subject: ValueSubject,
  members: readonly unknown[],
  position: "member" | "each" | "literal",
): Condition {
  const { ref, at, shared } = subject;
  const { profile, limits } = shared.run;
  if (members.length > limits.filterListMembers) {
    refuseLimit(`a list in a filter has at most ${limits.filterListMembers} members`, at);
  }
  const parts: Condition[] = [];
  const scalars: StoredValue[] = [];
  const lists: StoredValue[] = [];
  let hasNull = false;
  for (let index = 0; index < members.length; index++) {
    const member = members[index];
    if (position !== "each" && isPlainValue(ref, member, position)) {
      const value = member === null ? null : coerceLiteral(ref, profile, member, below(at, index));
      if (value === null) hasNull = true;
      else (isArray(value) ? lists : scalars).push(value);
    } else {
      parts.push(parse(step(subject, index), member, position));
    }
  }
  if (hasNull) parts.push(isNull(ref));
  for (const values of [scalars, lists]) {
    // Objects have no literals.
    if (values.length > 0) parts.push(equalsAny(ref as ColumnRef, values));
  }
  return join(position === "each" ? "all" : "any", parts);
}

function isPlainValue({ type }: Ref, value: unknown, position: Position): boolean {
  if (typeof value !== "object" || value === null || value instanceof Date) return true;
  if (isArray(value)) return type === "json" || type === "multiple";
  if (type === "json") return !Object.keys(value).some(isOperator);
  return type === "link" && position === "literal";
}

/** Parses `$exists` and `$notExists` (rule F-4). */
function parseExistence(
  { shared, at }: Subject,
  scope: Scope,
  { negated = false }: Operator,
  operand: unknown,
): Condition {
  const isList = isArray(operand);
  const parts = Array.from(isList ? operand : [operand], (path: unknown, index) => {
    const here = isList ? below(at, index) : at;
    if (typeof path !== "string") {
      return refuseFilter(`expected a column path, found ${describe(path)}`, here, "F-4");
    }
    const { ref } = resolvePath(scope, path, here);
    if (shared.isLimited) requireReach(ref, here);
    countPredicate({ shared, at: here, ref });
    return isNull(ref, negated);
  });
  return { kind: "all", parts };
}

/** Throws for types without comparison, and for lists in a search store (rules F-18, Q-7). */
function requireTest({ shared, at }: Subject, ref: Ref, operator: string): void {
  requireComparable(ref, operator, at);
  if (shared.isLimited) requireNoList(ref, at);
}

type GivenObject = Readonly<Record<string, unknown>>;

function isOperator(key: string): boolean {
  return key.startsWith("$");
}

function negateIf({ negated }: Operator, part: Condition): Condition {
  return negated ? { kind: "not", part } : part;
}

function join(kind: "all" | "any", parts: readonly Condition[]): Condition {
  return parts.length === 1 ? parts[0]! : { kind, parts };
}

/** Explicit members: a spread is four times slower. */
function step<S extends Subject>({ shared, at, level, ref, inner }: S, key: string | number): S {
  return { shared, at: below(at, key), level, ref, inner } as S; // all members of a subject
}

function deeper<S extends Subject>({ shared, at, level, ref, inner }: S): S {
  return { shared, at, level: level + 1, ref, inner } as S; // all members of a subject
}

/** Counts a predicate (rule L-3); an object counts once per column (L-7). */
function countPredicate({ ref, at, shared }: Pick<ValueSubject, "ref" | "at" | "shared">): void {
  const { filterPredicates: most } = shared.run.limits;
  shared.predicates +=
    ref.type === "object" ? Math.max(1, ref.columns.flatMap(leavesOf).length) : 1;
  if (shared.predicates > most) refuseLimit(`a filter has at most ${most} predicates`, at);
}

function requireLevel({ shared, at, level }: Subject): void {
  const { filterLevels: most } = shared.run.limits;
  if (level > most) refuseLimit(`a filter has at most ${most} levels`, at);
}

function refuseLimit(message: string, at: At): never {
  refuse("invalid_request", message, { path: at, rule: "L-3" });
}
