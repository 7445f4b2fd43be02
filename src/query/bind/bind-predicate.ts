import { type At, below, refuse } from "../../errors.js";
import type { Profile } from "../../profile.js";
import { isObject } from "../../schema/coerce.js";
import type { StoredValue } from "../../schema/columns.js";
import { combine, type Predicate, type Test } from "../bound/predicate.js";
import { bindObject } from "./bind-object.js";
import {
  type Binding,
  bindExistence,
  bindNull,
  countPredicate,
  refuseOperator,
  requireLevel,
} from "./binding.js";
import { coerceLiteral, isJsonPath, refuseLiteral } from "./literal.js";
import {
  bindLeaf,
  bindRange,
  bindText,
  OPERATORS,
  RANGE_OPERATORS,
  refuseForType,
  requireComparable,
  TEXT_OPERATORS,
} from "./operators.js";
import type { ColumnRef, Ref, Scope } from "./scope.js";

const NONE: ReadonlySet<string> = new Set();

/**
 * One member of a column's list: the column of a predicate without a column (rule F-13). Inside a
 * `json` value members are of any type.
 */
function itemOf({ type, path }: Ref): ColumnRef {
  const isList = type === "multiple";
  return {
    hops: [],
    slot: -1,
    type: isList ? "item" : "json",
    path,
    dimension: undefined,
    keys: isList ? undefined : [],
  };
}

/** Binds what stands under a path: a plain value, a predicate, or a nested filter (F-5 … F-7). */
export function bindValue(
  binding: Binding,
  ref: Ref,
  inner: Scope | undefined,
  value: unknown,
  negated: boolean,
  at: At,
  level: number,
): Predicate {
  return new ValueBinder(binding, ref, inner).bind(value, negated, at, level, "alone");
}

/** What may stand for null: a member of a list and a value alone may, an operand may not (F-15). */
type Position = "alone" | "member" | "operand";

class ValueBinder {
  readonly #binding: Binding;
  readonly #ref: Ref;
  /** Where relative filters look their names up; absent for columns without names below them. */
  readonly #inner: Scope | undefined;

  constructor(binding: Binding, ref: Ref, inner: Scope | undefined) {
    this.#binding = binding;
    this.#ref = ref;
    this.#inner = inner;
  }

  bind(value: unknown, negated: boolean, at: At, level: number, position: Position): Predicate {
    requireLevel(this.#binding, level, at);
    if (isObject(value) && !this.#isLiteral(value, position !== "alone", at)) {
      // An object without keys has no operators, so it is no predicate.
      const keys = Object.keys(value);
      const isPredicate = keys.length > 0 && keys.every((key) => key.startsWith("$"));
      if (isPredicate) return this.#bindOperators(value, "all", negated, at, level);
      if (this.#inner !== undefined) {
        return this.#binding.bindRelative(
          this.#binding,
          this.#inner,
          "all",
          value,
          negated,
          at,
          level,
        );
      }
    }
    if (position !== "member") countPredicate(this.#binding, at);
    if (value === null && position === "operand") this.#refuseNull(at);
    return this.#bindIs(value, negated, at, level, true);
  }

  /**
   * Whether an object is a value as it stands: under `json`, unless it holds operators. Operators
   * and names go together only in a filter relative to the path, which members can be (F-7).
   */
  #isLiteral(value: Readonly<Record<string, unknown>>, isMember: boolean, at: At): boolean {
    const keys = Object.keys(value);
    const operators = keys.filter((key) => key.startsWith("$")).length;
    const isMixed = operators !== 0 && operators !== keys.length;
    if (isMixed && !(isMember && this.#inner !== undefined)) {
      refuse(
        "invalid_filter",
        `column [${this.#ref.path}]: operators and names cannot stand in one object`,
        {
          path: at(),
          rule: "F-7",
        },
      );
    }
    return this.#ref.type === "json" && operators === 0;
  }

  /** The operators of one object, each a predicate. */
  #bindOperators(
    value: Readonly<Record<string, unknown>>,
    kind: "all" | "any",
    negated: boolean,
    at: At,
    level: number,
  ): Predicate {
    const parts: Predicate[] = [];
    for (const key of Object.keys(value)) {
      if (value[key] !== undefined)
        parts.push(this.#bindOperator(key, value[key], negated, below(at, key), level));
    }
    return combine(kind, parts, negated);
  }

  #bindOperator(
    operator: string,
    operand: unknown,
    negated: boolean,
    at: At,
    level: number,
  ): Predicate {
    switch (operator) {
      case "$all":
      case "$any":
        return this.#bindControl(operator, operand, negated, at, level);
      case "$not":
        return this.#bindControl("$all", operand, !negated, at, level);
      case "$none":
        return this.#bindControl("$any", operand, !negated, at, level);
      case "$exists":
      case "$notExists":
        if (this.#inner === undefined) break;
        return bindExistence(
          this.#binding,
          this.#inner,
          operand,
          (operator === "$exists") === negated,
          negated,
          at,
        );
      case "$is":
      case "$isNot":
        requireComparable(this.#ref, operator, at);
        countPredicate(this.#binding, at);
        return this.#bindIs(operand, (operator === "$isNot") !== negated, at, level, false);
    }
    if (!OPERATORS.has(operator)) refuseOperator(operator, [...OPERATORS], NONE, at);
    countPredicate(this.#binding, at);
    if (this.#ref.type === "object") refuseForType(this.#ref, operator, at);
    if (operand === null) this.#refuseNull(at);
    if (TEXT_OPERATORS.has(operator)) {
      return this.#leaf(bindText(this.#column, operator, operand, at), negated);
    }
    if (RANGE_OPERATORS.has(operator)) {
      return this.#leaf(bindRange(this.#column, this.#profile, operator, operand, at), negated);
    }
    return this.#bindItems(operator, operand, negated, at, level);
  }

  /** `$all`, `$any` and their negations over predicates and plain values (rules F-7, F-9). */
  #bindControl(
    control: "$all" | "$any",
    operand: unknown,
    negated: boolean,
    at: At,
    level: number,
  ): Predicate {
    const kind = control === "$all" ? "all" : "any";
    requireComparable(this.#ref, control, at);
    if (Array.isArray(operand)) {
      const position = control === "$any" ? "member" : "operand";
      return this.#bindMembers(operand, kind, negated, at, true, (member, place) =>
        this.bind(member, negated, place, level + 1, position),
      );
    }
    if (isObject(operand) && !this.#isLiteral(operand, true, at)) {
      requireLevel(this.#binding, level + 1, at);
      if (Object.keys(operand).every((key) => key.startsWith("$"))) {
        return this.#bindOperators(operand, kind, negated, at, level + 1);
      }
      if (this.#inner !== undefined) {
        return this.#binding.bindRelative(
          this.#binding,
          this.#inner,
          kind,
          operand,
          negated,
          at,
          level + 1,
        );
      }
    }
    return this.bind(operand, negated, at, level + 1, control === "$any" ? "alone" : "operand");
  }

  /**
   * The members of a list; under `any` the plain values among them become one test.
   *
   * @param relative members that are objects may be predicates or filters (rule F-7)
   */
  #bindMembers(
    members: readonly unknown[],
    kind: "all" | "any",
    negated: boolean,
    at: At,
    relative: boolean,
    bindMember: (member: unknown, place: At) => Predicate,
  ): Predicate {
    this.#requireLength(members, at);
    const parts: Predicate[] = [];
    const scalars: StoredValue[] = [];
    const lists: StoredValue[] = [];
    let hasNull = false;
    for (let index = 0; index < members.length; index++) {
      const member = members[index];
      const place = below(at, index);
      if (kind === "any" && this.#isPlain(member, relative)) {
        const value = member === null ? null : this.#coerce(member, place);
        if (value === null) hasNull = true;
        else (Array.isArray(value) ? lists : scalars).push(value);
      } else parts.push(bindMember(member, place));
    }
    if (hasNull) parts.push(bindNull(this.#ref, !negated));
    for (const values of [scalars, lists]) {
      if (values.length > 0) parts.push(this.#leaf(this.#oneOf(values), negated));
    }
    return combine(kind, parts, negated);
  }

  /**
   * `$is` and a plain value (rules F-5, F-8).
   *
   * @param relative members of an array may be filters relative to the path (rule F-7)
   */
  #bindIs(value: unknown, negated: boolean, at: At, level: number, relative: boolean): Predicate {
    const ref = this.#ref;
    requireLevel(this.#binding, level, at);
    if (value === null) return bindNull(ref, !negated);
    requireComparable(this.#ref, "$is", at);
    if (Array.isArray(value) && ref.type !== "multiple" && ref.type !== "json") {
      return this.#bindMembers(value, "any", negated, at, relative, (member, place) =>
        relative
          ? this.bind(member, negated, place, level + 1, "member")
          : this.#bindIs(member, negated, place, level + 1, false),
      );
    }
    if (ref.type === "object") return bindObject(ref, this.#profile, value, negated, at);
    const literal = this.#coerce(value, at);
    if (literal === null) return bindNull(ref, !negated); // T-11: text of JSON may say null
    return this.#leaf(this.#oneOf([literal]), negated);
  }

  /** Whether a value can be compared by one test with others of its kind. */
  #isPlain(value: unknown, relative: boolean): boolean {
    const { type } = this.#ref;
    if (typeof value !== "object" || value === null || value instanceof Date) return true;
    if (Array.isArray(value)) return type === "json" || type === "multiple";
    if (type === "json") return !Object.keys(value).some((key) => key.startsWith("$"));
    return type === "link" && !relative;
  }

  /** A test for any of those values; on `multiple` a string means an item (rule F-8). */
  #oneOf(values: readonly StoredValue[]): Test {
    const among: Test =
      values.length === 1 ? { kind: "equals", value: values[0]! } : { kind: "among", values };
    if (this.#ref.type !== "multiple" || Array.isArray(values[0])) return among;
    return {
      kind: "items",
      quantifier: "some",
      item: {
        kind: "leaf",
        column: itemOf(this.#ref),
        test: among,
        negated: false,
        nullMatches: false,
      },
    };
  }

  /** `$includesAny`, `$includesAll`, `$includesNone` (rule F-13). */
  #bindItems(
    operator: string,
    operand: unknown,
    negated: boolean,
    at: At,
    level: number,
  ): Predicate {
    if (this.#ref.type !== "multiple" && !isJsonPath(this.#ref))
      refuseForType(this.#ref, operator, at);
    const item = new ValueBinder(this.#binding, itemOf(this.#ref), undefined);
    const bound = Array.isArray(operand)
      ? item.#bindMembers(operand, "any", false, at, true, (member, place) =>
          item.bind(member, false, place, level + 1, "member"),
        )
      : item.bind(operand, false, at, level + 1, "operand");
    const quantifier = operator === "$includesAll" ? "every" : "some";
    return this.#leaf(
      { kind: "items", quantifier, item: bound },
      (operator === "$includesNone") !== negated,
    );
  }

  #leaf(test: Test, negated: boolean): Predicate {
    return bindLeaf(this.#column, this.#profile, test, negated);
  }

  #coerce(value: unknown, at: At): StoredValue {
    if (this.#ref.type === "object") return refuseLiteral(this.#ref, "object", value, at, "F-8");
    return coerceLiteral(this.#ref, this.#profile, value, at);
  }

  /** The column, where it is one that holds values: objects are taken apart before. */
  get #column(): ColumnRef {
    return this.#ref as ColumnRef;
  }

  get #profile(): Profile {
    return this.#binding.context.profile;
  }

  #requireLength(members: readonly unknown[], at: At): void {
    const { filterListMembers } = this.#binding.context.limits;
    if (members.length > filterListMembers) {
      refuse("invalid_request", `a list in a filter has at most ${filterListMembers} members`, {
        path: at(),
        rule: "L-3",
      });
    }
  }

  #refuseNull(at: At): never {
    refuse("invalid_filter", `column [${this.#ref.path}]: null goes with $is and $isNot only`, {
      path: at(),
      rule: "F-15",
    });
  }
}
