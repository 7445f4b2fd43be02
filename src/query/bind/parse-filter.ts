import { type At, below, describe, refuse } from "../../errors.js";
import { leavesOf, type StoredValue } from "../../schema/columns.js";
import { isFileType } from "../../schema/files.js";
import {
  findOperator,
  hasOperator,
  type Operator,
  suggestOperator,
} from "../../schema/operators.js";
import { isArray, isPlainObject } from "../../value/json.js";
import { type ColumnRef, isJsonPath, type Ref } from "../bound/column-ref.js";
import type { Condition } from "../bound/condition.js";
import {
  coerceBound,
  coerceLiteral,
  equals,
  equalsAny,
  isNull,
  itemOf,
  refuseFilter,
  refuseForType,
  requireComparable,
  testOf,
  textTest,
} from "./literal.js";
import { type BindContext, type Resolved, resolvePath, type Scope } from "./scope.js";

/** Parses a filter in request order, to report its first error (rule E-6). */
export function parseFilter(scope: Scope, filter: unknown, at: At): Condition {
  const parser = new FilterParser(scope.context, at);
  return parser.parseRecord({ ...scope, clause: "filter" }, filter);
}

/** The subject of a condition: a record, or the value at a path. */
type Subject = RecordSubject | Resolved;

interface RecordSubject {
  readonly ref: undefined;
  readonly inner: Scope;
}

/** F-15: null is allowed in a list or alone, but not as an operand. */
type Position = "alone" | "member" | "operand";

class FilterParser {
  readonly #context: BindContext;
  readonly #root: At;
  /** The position below the root. */
  readonly #keys: (string | number)[] = [];
  /** Nesting depth (rule L-3). */
  #level = 1;
  #predicates = 0;

  constructor(context: BindContext, root: At) {
    this.#context = context;
    this.#root = root;
  }

  parseRecord(scope: Scope, filter: unknown): Condition {
    if (isPlainObject(filter)) {
      return this.#parseKeys({ ref: undefined, inner: scope }, "all", filter);
    }
    return refuseFilter(`expected a filter object, found ${describe(filter)}`, this.#at, "F-1");
  }

  get #at(): At {
    return this.#keys.reduce<At>(below, this.#root);
  }

  #parseKeys(subject: Subject, combine: "all" | "any", object: GivenObject): Condition {
    this.#requireLevel();
    const parts: Condition[] = [];
    for (const key of Object.keys(object)) {
      const value = object[key];
      if (value === undefined) continue;
      this.#keys.push(key);
      parts.push(
        subject.ref === undefined && !isOperator(key)
          ? this.#parsePath(subject.inner, key, value)
          : this.#parseOperator(subject, key, value),
      );
      this.#keys.pop();
    }
    if (parts.length === 0 && this.#level > 1) {
      const key = String(this.#keys.findLast((step) => typeof step === "string"));
      const reason = { kind: "empty_filter", key } as const;
      refuseFilter("expected a condition, found an empty object", this.#at, "F-2", reason);
    }
    return join(combine, parts);
  }

  #parsePath(scope: Scope, path: string, value: unknown): Condition {
    const at = this.#at;
    const { ref, inner } = resolvePath(scope, path, at);
    if (ref.type === "link" && inner === undefined) {
      const [name = "$"] = isPlainObject(value) ? Object.keys(value) : [];
      // T-17: throws for a path through a link to a missing table.
      if (!isOperator(name)) resolvePath(scope, `${path}.${name}`, below(at, name));
    }
    // F-7: file members need dotted paths.
    const names = isFileType(ref.type) ? undefined : inner;
    this.#level++;
    const condition = this.#parseCondition({ ref, inner: names }, value, "alone");
    this.#level--;
    return condition;
  }

  /** Parses a plain value, an object of operators, or a relative filter (rules F-5 … F-7). */
  #parseCondition(subject: Resolved, value: unknown, position: Position): Condition {
    this.#requireLevel();
    if (isPlainObject(value)) {
      const keyed = this.#subjectOfKeys(subject, value, position !== "alone");
      if (keyed !== undefined) return this.#parseKeys(keyed, "all", value);
    }
    if (position !== "member") this.#countPredicate(subject.ref);
    if (value === null && position === "operand") this.#refuseNull(subject.ref);
    return this.#parseEquality(subject, value, true);
  }

  /** Returns the subject for an object's keys; undefined for a plain value (rule F-7). */
  #subjectOfKeys(subject: Resolved, object: GivenObject, isMember: boolean): Subject | undefined {
    const { ref, inner } = subject;
    const keys = Object.keys(object);
    const operators = keys.filter(isOperator).length;
    if (operators > 0 && operators === keys.length) return subject;
    if (operators > 0 && !(isMember && inner !== undefined)) {
      const fault = "operators and names cannot be mixed in one object";
      refuseFilter(`column [${ref.path}]: ${fault}`, this.#at, "F-7");
    }
    return inner && { ref: undefined, inner };
  }

  #parseOperator(subject: Subject, name: string, operand: unknown): Condition {
    const { ref, inner } = subject;
    const { profile } = this.#context;
    const operator = findOperator(name, profile.base);
    if (operator?.operand === "conditions") {
      this.#level++;
      const part = this.#parseParts(subject, operator.combine, operand);
      this.#level--;
      return negateIf(operator, part);
    }
    if (operator?.operand === "paths" && inner !== undefined) {
      return this.#parseExistence(inner, operator, operand);
    }
    if (operator === undefined || operator.operand === "paths" || ref === undefined) {
      const hint = suggestOperator(name, profile.base, ref !== undefined);
      return refuseFilter(`${describe(name)} is not an operator${hint}`, this.#at, "F-1");
    }
    if (operator.operand === "literal") {
      requireComparable(ref, name, this.#at);
      this.#countPredicate(ref);
      return negateIf(operator, this.#parseEquality(subject, operand, false));
    }
    this.#countPredicate(ref);
    if (operand === null && ref.type !== "object") this.#refuseNull(ref);
    const isKnown =
      ref.type !== "object" && (isJsonPath(ref) || hasOperator(ref.type, operator, profile.base));
    if (!isKnown) {
      return refuseForType(ref, name, operator.columns === "range" ? "F-12" : "F-18", this.#at);
    }
    switch (operator.operand) {
      case "items": {
        this.#level++;
        const of = { ref: itemOf(ref), inner: undefined };
        const item = isArray(operand)
          ? this.#parseMembers(of, operand, "any", true)
          : this.#parseCondition(of, operand, "operand");
        this.#level--;
        const { quantifier } = operator;
        return negateIf(operator, testOf(ref, { kind: "items", quantifier, item }));
      }
      case "bound": {
        const { isLow, inclusive } = operator;
        const bound = { value: coerceBound(ref, profile, operand, this.#at), inclusive };
        const [low, high] = isLow ? [bound] : [undefined, bound];
        return testOf(ref, { kind: "range", low, high });
      }
      default:
        return testOf(ref, textTest(ref, name, operand, this.#at));
    }
  }

  /** Parses operands of `$all`, `$any` and their negations (rules F-2, F-3, F-9). */
  #parseParts(subject: Subject, combine: "all" | "any", operand: unknown): Condition {
    if (subject.ref !== undefined) return this.#parseOperands(subject, combine, operand);
    if (isPlainObject(operand)) return this.#parseKeys(subject, combine, operand);
    if (!isArray(operand)) {
      const expected = "a filter object or an array of them";
      return refuseFilter(`expected ${expected}, found ${describe(operand)}`, this.#at, "F-2");
    }
    const parts: Condition[] = [];
    for (let index = 0; index < operand.length; index++) {
      this.#keys.push(index);
      parts.push(this.parseRecord(subject.inner, operand[index]));
      this.#keys.pop();
    }
    return join(combine, parts);
  }

  #parseOperands(subject: Resolved, combine: "all" | "any", operand: unknown): Condition {
    const { ref } = subject;
    requireComparable(ref, `$${combine}`, this.#at);
    if (isArray(operand)) return this.#parseMembers(subject, operand, combine, true);
    if (isPlainObject(operand)) {
      const keyed = this.#subjectOfKeys(subject, operand, true);
      const isEmpty = ref.type !== "json" && Object.keys(operand).length === 0;
      if (keyed !== undefined || isEmpty) {
        return this.#parseKeys(keyed ?? subject, combine, operand);
      }
    }
    return this.#parseCondition(subject, operand, combine === "any" ? "alone" : "operand");
  }

  /**
   * Parses the members of a list; under `any`, plain values are merged into one test.
   * @param relative permits operators and relative filters (rule F-7)
   */
  #parseMembers(
    subject: Resolved,
    members: readonly unknown[],
    combine: "all" | "any",
    relative: boolean,
  ): Condition {
    const { ref } = subject;
    const { profile, limits } = this.#context;
    const at = this.#at;
    if (members.length > limits.filterListMembers) {
      refuseLimit(`a list in a filter has at most ${limits.filterListMembers} members`, at);
    }
    const parts: Condition[] = [];
    const scalars: StoredValue[] = [];
    const lists: StoredValue[] = [];
    let hasNull = false;
    for (let index = 0; index < members.length; index++) {
      const member = members[index];
      if (combine === "any" && isPlainValue(ref, member, relative)) {
        const value =
          member === null ? null : coerceLiteral(ref, profile, member, below(at, index));
        if (value === null) hasNull = true;
        else (isArray(value) ? lists : scalars).push(value);
      } else {
        this.#keys.push(index);
        parts.push(
          relative
            ? this.#parseCondition(subject, member, combine === "any" ? "member" : "operand")
            : this.#parseEquality(subject, member, false),
        );
        this.#keys.pop();
      }
    }
    if (hasNull) parts.push(isNull(ref));
    for (const values of [scalars, lists]) {
      // Objects have no literals.
      if (values.length > 0) parts.push(equalsAny(ref as ColumnRef, values));
    }
    return join(combine, parts);
  }

  /** Parses `$is` and plain values (rules F-5, F-8). */
  #parseEquality(subject: Resolved, value: unknown, relative: boolean): Condition {
    const { ref } = subject;
    this.#requireLevel();
    if (value === null) return isNull(ref);
    requireComparable(ref, "$is", this.#at);
    if (!isArray(value) || ref.type === "multiple" || ref.type === "json") {
      return equals(ref, this.#context.profile, value, this.#at);
    }
    this.#level++;
    const condition = this.#parseMembers(subject, value, "any", relative);
    this.#level--;
    return condition;
  }

  /** Parses `$exists` and `$notExists` (rule F-4). */
  #parseExistence(scope: Scope, { negated = false }: Operator, operand: unknown): Condition {
    const isList = isArray(operand);
    const at = this.#at;
    const parts = Array.from(isList ? operand : [operand], (path: unknown, index) => {
      const here = isList ? below(at, index) : at;
      if (typeof path !== "string") {
        return refuseFilter(`expected a column path, found ${describe(path)}`, here, "F-4");
      }
      const { ref } = resolvePath(scope, path, here);
      this.#countPredicate(ref, here);
      return isNull(ref, negated);
    });
    return { kind: "all", parts };
  }

  /** Counts a predicate (rule L-3); an object counts once per column (L-7). */
  #countPredicate(ref: Ref, at?: At): void {
    const { filterPredicates: most } = this.#context.limits;
    this.#predicates +=
      ref.type === "object" ? Math.max(1, ref.columns.flatMap(leavesOf).length) : 1;
    if (this.#predicates <= most) return;
    refuseLimit(`a filter has at most ${most} predicates`, at ?? this.#at);
  }

  #requireLevel(): void {
    const { filterLevels: most } = this.#context.limits;
    if (this.#level > most) refuseLimit(`a filter has at most ${most} levels`, this.#at);
  }

  #refuseNull({ path }: Ref): never {
    refuseFilter(`column [${path}]: only $is and $isNot take null`, this.#at, "F-15");
  }
}

function isPlainValue({ type }: Ref, value: unknown, relative: boolean): boolean {
  if (typeof value !== "object" || value === null || value instanceof Date) return true;
  if (isArray(value)) return type === "json" || type === "multiple";
  if (type === "json") return !Object.keys(value).some(isOperator);
  return type === "link" && !relative;
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

function refuseLimit(message: string, at: At): never {
  refuse("invalid_request", message, { path: at, rule: "L-3" });
}
