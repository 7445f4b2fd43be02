import { pointer } from "../../src/errors.js";
import { type AnyType, TRAITS } from "../../src/schema/traits.js";
import { profile } from "./catalog.js";
import { type Leaf, linkedId } from "./columns.js";
import { parseJson } from "./pointer.js";

/** A filter as the builder shows it. Every filter has a tree with the same meaning. */
export type FilterNode = GroupNode | TestNode | RawNode;

export interface GroupNode {
  readonly kind: "group";
  readonly operator: GroupOperator;
  readonly members: readonly FilterNode[];
}

/** A test of one column. */
export interface TestNode {
  readonly kind: "test";
  readonly path: string;
  readonly operator: string;
  /** Undefined while blank; the filter omits such a test. */
  readonly value: unknown;
}

/** A part without a form, edited as JSON. */
export interface RawNode {
  readonly kind: "raw";
  readonly filter: unknown;
}

export type GroupOperator = "$all" | "$any" | "$none" | "$not";

/** The invalid part of a test. */
export type FaultPart = "column" | "operator" | "value";

export const GROUP_LABELS: Readonly<Record<GroupOperator, string>> = {
  $all: "all of",
  $any: "any of",
  $none: "none of",
  $not: "not all of",
};

export const EMPTY_GROUP: GroupNode = { kind: "group", operator: "$all", members: [] };

/** A blank test of the first comparable column. */
export function draftOf(
  leaves: readonly { readonly path: string; readonly type: AnyType }[],
): TestNode {
  const first = leaves.find(({ type }) => TRAITS[type].operators !== "none") ?? leaves[0];
  return {
    kind: "test",
    path: first?.path ?? profile.value.idColumn,
    operator: "$is",
    value: undefined,
  };
}

/** Whether records can be filtered by a value of a column. */
export function isFilterable({ type }: Pick<Leaf, "type">): boolean {
  return type !== "json" && TRAITS[type].operators !== "none";
}

/** A filter, as JSON, with a test of a column's value instead of those that it had. */
export function filterByValue(filter: string, { path, link }: Leaf, value: unknown): string {
  const read = parseJson(filter === "" ? "{}" : filter);
  const { members } = readFilter("value" in read ? read.value : {});
  const others = members.filter((node) => node.kind !== "test" || node.path !== path);
  const isNull = value === null || value === undefined;
  const operator = isNull ? "$notExists" : "$is";
  const operand = link === undefined ? value : linkedId(value);
  const test: TestNode = { kind: "test", path, operator, value: isNull ? null : operand };
  return JSON.stringify(buildFilter({ ...EMPTY_GROUP, members: [...others, test] }).filter);
}

/** Nodes of a filter by JSON Pointer. */
export interface BuiltFilter {
  readonly filter: unknown;
  readonly places: ReadonlyMap<string, FilterNode>;
}

/** Converts a tree to a filter. */
export function buildFilter(root: GroupNode): BuiltFilter {
  const places = new Map<string, FilterNode>();
  return { filter: buildGroup(root, "", places), places };
}

type Places = Map<string, FilterNode>;

function buildGroup(group: GroupNode, at: string, places: Places): unknown {
  const { operator } = group;
  const members = group.members.filter((node) => !isDraft(node));
  places.set(at, group);
  if (isDraft(group)) return {};
  if (operator === "$all") {
    const merged = mergeMembers(members, at, places);
    if (merged !== undefined) return merged;
  }
  return entry(operator, buildList(members, pointer(at, operator), places));
}

function buildList(members: readonly FilterNode[], at: string, places: Places): unknown[] {
  return members
    .filter((node) => !isDraft(node))
    .map((node, index) => buildNode(node, pointer(at, index), places));
}

function buildNode(node: FilterNode, at: string, places: Places): unknown {
  if (node.kind === "group") {
    if (node.members.length > 0) return buildGroup(node, at, places);
    places.set(at, node);
    return entry(node.operator, []); // an empty object is no condition (F-2)
  }
  places.set(at, node);
  if (node.kind === "raw") return node.filter;
  const { path, operator } = node;
  return isExistence(node) ? entry(operator, path) : entry(path, predicateOf([node]));
}

/** Merges members into one object; undefined if keys collide. */
function mergeMembers(members: readonly FilterNode[], at: string, places: Places): unknown {
  const [only] = members;
  if (members.length === 1 && only?.kind === "raw") {
    places.set(at, only);
    return only.filter;
  }
  const tests = new Map<string, TestNode[]>();
  const others = new Map<string, FilterNode>();
  for (const node of members) {
    const key = keyOf(node);
    if (key === undefined || others.has(key)) return undefined;
    if (node.kind === "test" && !isExistence(node)) {
      const known = tests.get(key) ?? [];
      if (known.some(({ operator }) => operator === node.operator)) return undefined;
      tests.set(key, [...known, node]);
    } else if (tests.has(key)) return undefined;
    else others.set(key, node);
  }
  const entries = [...new Set(members.map((node) => keyOf(node)!))].map((key) => {
    const place = pointer(at, key);
    const predicates = tests.get(key);
    if (predicates !== undefined) {
      places.set(place, predicates[0]!);
      for (const test of predicates) places.set(pointer(place, test.operator), test);
      return [key, predicateOf(predicates)];
    }
    const node = others.get(key)!;
    places.set(place, node);
    if (node.kind !== "group") return [key, (node as TestNode).path];
    return [key, buildList(node.members, place, places)];
  });
  return Object.fromEntries(entries);
}

/** The key of a node in a merged object. */
function keyOf(node: FilterNode): string | undefined {
  if (node.kind === "raw") return undefined;
  if (node.kind === "group") return node.operator;
  return isExistence(node) ? node.operator : node.path;
}

const EXISTENCE: readonly string[] = ["$exists", "$notExists", "$existsNot"];

function isExistence({ operator }: TestNode): boolean {
  return EXISTENCE.includes(operator);
}

/** Whether a node is blank: a test without a value, or a group of such. */
function isDraft(node: FilterNode): boolean {
  if (node.kind === "group") return node.members.length > 0 && node.members.every(isDraft);
  return node.kind === "test" && node.value === undefined && !isExistence(node);
}

/** The condition of a path; a plain value where it can only mean equality. */
function predicateOf(tests: readonly TestNode[]): unknown {
  const [{ operator, value }] = tests as [TestNode];
  const isPlain = typeof value !== "object" || value === null;
  if (tests.length === 1 && operator === "$is" && isPlain) return value;
  return Object.fromEntries(tests.map((test) => [test.operator, test.value]));
}

/** An object with one own key, `__proto__` included. */
function entry(key: string, value: unknown): Record<string, unknown> {
  return Object.fromEntries([[key, value]]);
}

/** Converts a filter to a tree. */
export function readFilter(filter: unknown): GroupNode {
  const members = readMembers(filter);
  const [only] = members;
  if (members.length === 1 && only?.kind === "group" && only.operator === "$all") return only;
  return { kind: "group", operator: "$all", members };
}

function readMembers(filter: unknown): FilterNode[] {
  if (!isObject(filter)) return [{ kind: "raw", filter }];
  return Object.entries(filter).flatMap(([key, value]) => readEntry(key, value));
}

function readEntry(key: string, value: unknown): FilterNode[] {
  if (Object.hasOwn(GROUP_LABELS, key)) {
    const members = Array.isArray(value)
      ? value.map(readOne)
      : isObject(value)
        ? Object.entries(value).map(([inner, part]) => readOne(entry(inner, part)))
        : undefined;
    const operator = key as GroupOperator;
    return [
      members === undefined
        ? { kind: "raw", filter: entry(key, value) }
        : { kind: "group", operator, members },
    ];
  }
  if (EXISTENCE.includes(key)) {
    return typeof value === "string"
      ? [{ kind: "test", path: value, operator: key, value: null }]
      : [{ kind: "raw", filter: entry(key, value) }];
  }
  if (key.startsWith("$")) return [{ kind: "raw", filter: entry(key, value) }];
  if (!isObject(value)) {
    return Array.isArray(value)
      ? [{ kind: "raw", filter: entry(key, value) }]
      : [{ kind: "test", path: key, operator: "$is", value }];
  }
  const parts = Object.entries(value);
  const isTest = parts.length > 0 && parts.every((part) => isSimpleTest(...part));
  if (!isTest) return [{ kind: "raw", filter: entry(key, value) }];
  return parts.map(([operator, operand]) => ({
    kind: "test",
    path: key,
    operator,
    value: operand,
  }));
}

/** A list member; several keys are a conjunction. */
function readOne(filter: unknown): FilterNode {
  const members = readMembers(filter);
  return members.length === 1 ? members[0]! : { kind: "group", operator: "$all", members };
}

function isSimpleTest(operator: string, value: unknown): boolean {
  const isKnown = operator.startsWith("$") && !["$not", ...EXISTENCE].includes(operator);
  return isKnown && (Array.isArray(value) ? !value.some(isObject) : !isObject(value));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The innermost node that contains the position of an error. */
export function findFault({ places }: BuiltFilter, path: string, root: GroupNode): FilterNode {
  let at = path;
  for (;;) {
    const found = places.get(at);
    if (found !== undefined) return found;
    if (at === "") return root;
    at = at.slice(0, at.lastIndexOf("/"));
  }
}

/** The tree with a node replaced, or removed. */
export function replaceNode(
  root: GroupNode,
  node: FilterNode,
  next: FilterNode | undefined,
): GroupNode {
  if (root === node) return next?.kind === "group" ? next : EMPTY_GROUP;
  const members = root.members.flatMap((member): FilterNode[] => {
    if (member === node) return next === undefined ? [] : [next];
    return [member.kind === "group" ? replaceNode(member, node, next) : member];
  });
  const isSame =
    members.length === root.members.length && members.every((m, i) => m === root.members[i]);
  return isSame ? root : { ...root, members };
}
