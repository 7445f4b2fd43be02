import type { Point, Range } from "../query/bound/point.js";
import { bindPoint, type SqlKey } from "./order.js";
import type { StatementWriter } from "./statement.js";

/**
 * A part of an order that one walk of an index can give: rows that agree in the first keys, and go
 * on from a value in the next. `order by a, b` after a point is several such parts, one after the
 * other; a database finds none of them from a condition that joins them by `or`.
 */
export interface Segment {
  readonly condition: string;
  /** How its rows are ordered; the keys that they agree in are left out. */
  readonly order: string;
}

/** The parts of an order that a range allows, in the direction of travel (rule G-2). */
export function writeSegments(
  writer: StatementWriter,
  keys: readonly SqlKey[],
  { after, before }: Range,
  backward: boolean,
): Segment[] {
  const [start, end] = backward ? [before, after] : [after, before];
  const segments =
    start === undefined ? wholeOrder(keys, backward) : from(writer, keys, start, backward);
  if (end === undefined) return segments;
  const bounds = from(writer, keys, end, !backward).map(({ condition }) => condition);
  const bound = bounds.length === 0 ? "false" : `(${bounds.join(" or ")})`;
  return segments.map(({ condition, order }) => ({
    condition: `${condition} and ${bound}`,
    order,
  }));
}

/** All of an order: where the first key can be null those rows are a part of their own. */
function wholeOrder(keys: readonly SqlKey[], backward: boolean): Segment[] {
  const [first] = keys;
  if (first === undefined || !first.nullable) {
    return [{ condition: "true", order: writeOrder(keys, backward) }];
  }
  const present = {
    condition: `${first.expression} is not null`,
    order: orderOfPresent(keys, 0, backward),
  };
  const absent = {
    condition: `${first.expression} is null`,
    order: writeOrder(keys.slice(1), backward),
  };
  return backward ? [absent, present] : [present, absent];
}

/** What comes after a point in the direction of travel. */
function from(
  writer: StatementWriter,
  keys: readonly SqlKey[],
  { keys: values, side }: Point,
  backward: boolean,
): Segment[] {
  // Before the beginning there is nothing, after it everything (rule G-11).
  if (values === undefined) return backward ? [] : wholeOrder(keys, backward);
  const inclusive = backward ? side === 1 : side === -1;
  return new Walk(keys, bindPoint(writer, keys, values), { backward, inclusive }).from(0, []);
}

/** One walk from a point on. */
class Walk {
  readonly #keys: readonly SqlKey[];
  readonly #values: readonly (string | undefined)[];
  readonly #backward: boolean;
  /** Whether the record at the point itself is met. */
  readonly #inclusive: boolean;

  constructor(
    keys: readonly SqlKey[],
    values: readonly (string | undefined)[],
    { backward, inclusive }: { readonly backward: boolean; readonly inclusive: boolean },
  ) {
    this.#keys = keys;
    this.#values = values;
    this.#backward = backward;
    this.#inclusive = inclusive;
  }

  /** The parts among the rows that agree with the point in all keys before one. */
  from(index: number, agreed: readonly string[]): Segment[] {
    const key = this.#keys[index];
    if (key === undefined) return this.#inclusive ? [segment(agreed, "")] : [];
    const { expression, nullable } = key;
    const value = this.#values[index];
    const backward = this.#backward;
    const present = [...agreed, `${expression} is not null`];
    const absent = [...agreed, `${expression} is null`];
    if (value === undefined) {
      const same = this.from(index + 1, absent);
      return backward
        ? [...same, segment(present, orderOfPresent(this.#keys, index, backward))]
        : same;
    }
    const nulls =
      nullable && !backward
        ? [segment(absent, writeOrder(this.#keys.slice(index + 1), backward))]
        : [];
    if (this.#comparesAsOne(index)) return [this.#compareAsOne(index, agreed), ...nulls];
    return [
      ...this.from(index + 1, [...agreed, `${expression} = ${value}`]),
      segment(
        [...agreed, `${expression} ${this.#signOf(key)} ${value}`],
        orderOfPresent(this.#keys, index, backward),
      ),
      ...nulls,
    ];
  }

  /** Whether the keys from here on go one way and have a value, so that they compare as one row. */
  #comparesAsOne(index: number): boolean {
    const [first, ...rest] = this.#keys.slice(index);
    return rest.every(
      ({ descending, nullable }, i) =>
        descending === first?.descending && !nullable && this.#values[index + 1 + i] !== undefined,
    );
  }

  #compareAsOne(index: number, agreed: readonly string[]): Segment {
    const keys = this.#keys.slice(index);
    const left = keys.map(({ expression }) => expression).join(", ");
    const right = this.#values.slice(index).join(", ");
    const sign = `${this.#signOf(keys[0]!)}${this.#inclusive ? "=" : ""}`; // there is the id at least
    return segment(
      [...agreed, `(${left}) ${sign} (${right})`],
      orderOfPresent(this.#keys, index, this.#backward),
    );
  }

  #signOf({ descending }: SqlKey): "<" | ">" {
    return descending === this.#backward ? ">" : "<";
  }
}

function segment(conditions: readonly string[], order: string): Segment {
  return { condition: conditions.length === 0 ? "true" : conditions.join(" and "), order };
}

/** How rows go by some keys; null comes last, from the end on first (rule S-3). */
export function writeOrder(keys: readonly SqlKey[], backward: boolean): string {
  return keys
    .map(({ expression, descending, nullable }) => {
      const isDescending = descending !== backward;
      const direction = `${expression} ${isDescending ? "desc" : "asc"}`;
      // Only where the direction does not mean it anyhow: then an index serves both ways.
      if (!nullable || isDescending === backward) return direction;
      return `${direction} nulls ${backward ? "first" : "last"}`;
    })
    .join(", ");
}

/** The order of rows in which a key has a value. */
function orderOfPresent(keys: readonly SqlKey[], index: number, backward: boolean): string {
  const [first, ...rest] = keys.slice(index);
  if (first === undefined) return "";
  return writeOrder([{ ...first, nullable: false }, ...rest], backward);
}
