import type { Point, Range } from "../query/bound/bound-query.js";
import { bindPoint, type SqlKey } from "./order.js";
import type { StatementWriter } from "./statement.js";

/**
 * A part of an order that one index scan can read: rows with equal leading keys, from a value of
 * the next key on. `order by a, b` after a point has several segments, because PostgreSQL finds no
 * index scan for a condition with `or`.
 */
export interface OrderSegment {
  readonly condition: string;
  /** The sort without the equal leading keys. */
  readonly order: string;
}

/** The segments of a range, in the direction of travel (G-2). */
export function writeSegments(
  writer: StatementWriter,
  keys: readonly SqlKey[],
  { after, before }: Range,
  backward: boolean,
): OrderSegment[] {
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

/** The whole order. A linked first key splits it: the index finds only rows with a link. */
function wholeOrder(keys: readonly SqlKey[], backward: boolean): OrderSegment[] {
  const [first] = keys;
  if (!first?.isLinked) return [segment([], writeOrder(keys, backward))];
  const present = segment([`${first.expression} is not null`], writeOrder(keys, backward));
  const absent = segment([`${first.expression} is null`], writeOrder(keys.slice(1), backward));
  return first.descending === backward ? [present, absent] : [absent, present];
}

/** The segments after a point, in the direction of travel. */
function from(
  writer: StatementWriter,
  keys: readonly SqlKey[],
  { keys: values, side }: Point,
  backward: boolean,
): OrderSegment[] {
  // Nothing precedes the start, everything follows it (G-11).
  if (values === undefined) return backward ? [] : wholeOrder(keys, backward);
  const inclusive = backward ? side === 1 : side === -1;
  return new Walk(keys, bindPoint(writer, keys, values), { backward, inclusive }).from(0, []);
}

class Walk {
  readonly #keys: readonly SqlKey[];
  readonly #values: readonly (string | undefined)[];
  readonly #backward: boolean;
  /** Whether to include the record at the point. */
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

  /** The segments whose leading keys equal the point's. */
  from(index: number, agreed: readonly string[]): OrderSegment[] {
    const key = this.#keys[index];
    if (key === undefined) return this.#inclusive ? [segment(agreed, "")] : [];
    const { expression, nullable } = key;
    const value = this.#values[index];
    const order = writeOrder(this.#keys.slice(index), this.#backward);
    const rises = key.descending === this.#backward;
    const absent = [...agreed, `${expression} is null`];
    if (value === undefined) {
      const same = this.from(index + 1, absent);
      return rises ? same : [...same, segment([...agreed, `${expression} is not null`], order)];
    }
    const nulls =
      nullable && rises
        ? [segment(absent, writeOrder(this.#keys.slice(index + 1), this.#backward))]
        : [];
    const sign = rises ? ">" : "<";
    if (this.#comparesAsOne(index)) return [this.#compareAsOne(index, agreed, sign), ...nulls];
    return [
      ...this.from(index + 1, [...agreed, `${expression} = ${value}`]),
      segment([...agreed, `${expression} ${sign} ${value}`], order),
      ...nulls,
    ];
  }

  /** Whether all further keys have one direction and no nulls, so a row comparison works. */
  #comparesAsOne(index: number): boolean {
    const [first, ...rest] = this.#keys.slice(index);
    return rest.every(
      ({ descending, nullable }, i) =>
        descending === first?.descending && !nullable && this.#values[index + 1 + i] !== undefined,
    );
  }

  #compareAsOne(index: number, agreed: readonly string[], sign: "<" | ">"): OrderSegment {
    const keys = this.#keys.slice(index);
    const left = keys.map(({ expression }) => expression).join(", ");
    const right = this.#values.slice(index).join(", ");
    const compared = `(${left}) ${sign}${this.#inclusive ? "=" : ""} (${right})`;
    return segment([...agreed, compared], writeOrder(keys, this.#backward));
  }
}

function segment(conditions: readonly string[], order: string): OrderSegment {
  return { condition: conditions.length === 0 ? "true" : conditions.join(" and "), order };
}

export function writeOrder(keys: readonly SqlKey[], backward: boolean): string {
  return keys
    .map(
      ({ expression, descending }) => `${expression} ${descending === backward ? "asc" : "desc"}`,
    )
    .join(", ");
}
