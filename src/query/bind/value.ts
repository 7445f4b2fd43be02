import type { Profile } from "../../profile.js";
import type { StoredValue } from "../../schema/columns.js";
import { TRAITS } from "../../schema/traits.js";
import { isPlainObject } from "../../value/json.js";
import type { ColumnRef, Ref } from "../bound/column-ref.js";
import type { Condition } from "../bound/condition.js";
import {
  bindExistence,
  bindNull,
  CONTROLS,
  countPredicate,
  deeper,
  type Filter,
  negateIf,
  refuseOperator,
  requireFew,
  requireLevel,
  type Site,
  siteBelow,
  together,
} from "./binding.js";
import { isOperator, isPlain, itemOf, oneOf, refuseNull, testOf } from "./compared.js";
import { coerceLiteral, isJsonPath, refuseFilter, refuseLiteral } from "./literal.js";
import { bindObject } from "./object.js";
import {
  bindRange,
  bindText,
  OPERATORS,
  RANGE_OPERATORS,
  refuseForType,
  requireComparable,
  TEXT_OPERATORS,
} from "./operators.js";
import type { Resolved } from "./scope.js";

/** Binds what is given for a path: a plain value, a predicate, or a nested filter (F-5 … F-7). */
export function bindValue(compared: Resolved, value: unknown, site: Site): Condition {
  return bindGiven(compared, value, site, "alone");
}

/** What may be null: a member of a list and a value alone may, an operand may not (F-15). */
type Position = "alone" | "member" | "operand";

function bindGiven(compared: Resolved, value: unknown, site: Site, position: Position): Condition {
  const { ref, inner } = compared;
  requireLevel(site);
  if (isPlainObject(value)) {
    const held = heldBy(compared, value, position !== "alone", site);
    if (held === "operators") return bindOperators(compared, value, "all", site);
    if (held !== "json" && inner !== undefined) {
      return site.binding.bindKeys(inner, "all", value, site);
    }
  }
  if (position !== "member") countPredicate(site, ref);
  if (value === null && position === "operand") refuseNull(ref, site.at);
  return bindIs(compared, value, site, true);
}

/**
 * What an object holds: a value as it is, under `json`, unless there are operators in it. Operators
 * and names go together only in a filter relative to the path, which members can be (F-7).
 */
function heldBy(
  { ref, inner }: Resolved,
  value: Filter,
  isMember: boolean,
  { at }: Site,
): "json" | "nothing" | "operators" | "names" {
  const keys = Object.keys(value);
  let operators = 0;
  for (const key of keys) if (isOperator(key)) operators++;
  if (operators === 0 && ref.type === "json") return "json";
  if (operators === keys.length) return operators === 0 ? "nothing" : "operators";
  if (operators !== 0 && !(isMember && inner !== undefined)) {
    const fault = "operators and names cannot be mixed in one object";
    refuseFilter(`column [${ref.path}]: ${fault}`, at, "F-7");
  }
  return "names";
}

/** The operators of one object, each a condition. */
function bindOperators(
  compared: Resolved,
  value: Filter,
  kind: "all" | "any",
  site: Site,
): Condition {
  const parts: Condition[] = [];
  for (const key of Object.keys(value)) {
    if (value[key] === undefined) continue;
    parts.push(bindOperator(compared, key, value[key], siteBelow(site, key)));
  }
  return together(kind, parts);
}

function bindOperator(
  compared: Resolved,
  operator: string,
  operand: unknown,
  site: Site,
): Condition {
  const { ref, inner } = compared;
  const { at } = site;
  const control = CONTROLS.get(operator);
  if (control !== undefined) {
    return negateIf(control.not, bindControl(compared, control.kind, operand, site));
  }
  if (inner !== undefined && (operator === "$exists" || operator === "$notExists")) {
    return bindExistence(inner, operator, operand, site);
  }
  if (operator === "$is" || operator === "$isNot") {
    requireComparable(ref, operator, at);
    countPredicate(site, ref);
    return negateIf(operator === "$isNot", bindIs(compared, operand, site, false));
  }
  if (!OPERATORS.has(operator)) refuseOperator(operator, [...OPERATORS], NONE, at);
  countPredicate(site, ref);
  if (ref.type === "object") return refuseForType(ref, operator, at);
  if (operand === null) refuseNull(ref, at);
  if (TEXT_OPERATORS.has(operator)) return testOf(ref, bindText(ref, operator, operand, at));
  if (RANGE_OPERATORS.has(operator)) {
    return testOf(ref, bindRange(ref, profileOf(site), operator, operand, at));
  }
  return bindItems(ref, operator, operand, site);
}

const NONE: ReadonlySet<string> = new Set();

/** `$all`, `$any` and their negations over predicates and plain values (rules F-7, F-9). */
function bindControl(
  compared: Resolved,
  kind: "all" | "any",
  operand: unknown,
  site: Site,
): Condition {
  const { ref, inner } = compared;
  requireComparable(ref, kind === "all" ? "$all" : "$any", site.at);
  const inside = deeper(site);
  if (Array.isArray(operand)) {
    const position = kind === "any" ? "member" : "operand";
    return bindMembers(ref, operand, { kind, relative: true }, site, (member, index) =>
      bindGiven(compared, member, siteBelow(inside, index), position),
    );
  }
  if (isPlainObject(operand)) {
    const held = heldBy(compared, operand, true, site);
    if (held !== "json") {
      requireLevel(inside);
      if (held !== "names") return bindOperators(compared, operand, kind, inside);
      if (inner !== undefined) return site.binding.bindKeys(inner, kind, operand, inside);
    }
  }
  return bindGiven(compared, operand, inside, kind === "any" ? "alone" : "operand");
}

/** How the members of a list go together. */
interface MemberOptions {
  readonly kind: "all" | "any";
  /** Whether members that are objects may be predicates or filters (rule F-7). */
  readonly relative: boolean;
}

/** The members of a list; under `any` the plain values among them become one test. */
function bindMembers(
  ref: Ref,
  members: readonly unknown[],
  { kind, relative }: MemberOptions,
  site: Site,
  bindMember: (member: unknown, index: number) => Condition,
): Condition {
  const { filterListMembers } = site.binding.context.limits;
  requireFew(members.length, filterListMembers, "a list in a filter", "members", site.at);
  const parts: Condition[] = [];
  const scalars: StoredValue[] = [];
  const lists: StoredValue[] = [];
  let hasNull = false;
  for (let index = 0; index < members.length; index++) {
    const member = members[index];
    if (kind === "any" && isPlain(ref, member, relative)) {
      const value = member === null ? null : coerce(ref, member, siteBelow(site, index));
      if (value === null) hasNull = true;
      else (Array.isArray(value) ? lists : scalars).push(value);
    } else parts.push(bindMember(member, index));
  }
  if (hasNull) parts.push(bindNull(ref, true));
  for (const values of [scalars, lists]) {
    if (values.length > 0) parts.push(oneOf(ref, values));
  }
  return together(kind, parts);
}

/**
 * `$is` and a plain value (rules F-5, F-8).
 *
 * @param relative members of an array may be filters relative to the path (rule F-7)
 */
function bindIs(compared: Resolved, value: unknown, site: Site, relative: boolean): Condition {
  const { ref } = compared;
  requireLevel(site);
  if (value === null) return bindNull(ref, true);
  requireComparable(ref, "$is", site.at);
  if (Array.isArray(value) && ref.type !== "multiple" && ref.type !== "json") {
    const inside = deeper(site);
    return bindMembers(ref, value, { kind: "any", relative }, site, (member, index) =>
      relative
        ? bindGiven(compared, member, siteBelow(inside, index), "member")
        : bindIs(compared, member, siteBelow(inside, index), false),
    );
  }
  if (ref.type === "object") return bindObject(ref, profileOf(site), value, site.at);
  const literal = coerce(ref, value, site);
  if (literal === null) return bindNull(ref, true); // T-11: text of JSON may say null
  return oneOf(ref, [literal]);
}

/** `$includesAny`, `$includesAll`, `$includesNone` (rule F-13). */
function bindItems(column: ColumnRef, operator: string, operand: unknown, site: Site): Condition {
  if (TRAITS[column.type].operators !== "list" && !isJsonPath(column))
    refuseForType(column, operator, site.at);
  const item: Resolved = { ref: itemOf(column), inner: undefined };
  const inside = deeper(site);
  const bound = Array.isArray(operand)
    ? bindMembers(item.ref, operand, { kind: "any", relative: true }, site, (member, index) =>
        bindGiven(item, member, siteBelow(inside, index), "member"),
      )
    : bindGiven(item, operand, inside, "operand");
  const quantifier = operator === "$includesAll" ? "every" : "some";
  const test = testOf(column, { kind: "items", quantifier, item: bound });
  return negateIf(operator === "$includesNone", test);
}

function coerce(ref: Ref, value: unknown, site: Site): StoredValue {
  if (ref.type === "object") return refuseLiteral(ref, "object", value, site.at, "F-8");
  return coerceLiteral(ref, profileOf(site), value, site.at);
}

function profileOf({ binding }: Site): Profile {
  return binding.context.profile;
}
