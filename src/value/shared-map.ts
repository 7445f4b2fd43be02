import { hashString } from "./hash.js";

/** A value and its place in the order of the keys. */
export interface Entry<V> {
  readonly value: V;
  readonly place: number;
}

export type Bucket<V> = ReadonlyMap<string, Entry<V>>;

/** Entries of a bucket, on average, before there are more buckets. */
const BUCKET_SIZE = 16;

/**
 * An immutable map in the order that its keys were first set. A change gives another that shares
 * with this one all but a small bucket, so that it costs the same however many keys there are.
 */
export class SharedMap<V> implements ReadonlyMap<string, V> {
  readonly size: number;
  /** A power of two of them, by the hashes of the keys. */
  readonly buckets: readonly Bucket<V>[];
  /** The place of the next key. */
  readonly next: number;

  private constructor(buckets: readonly Bucket<V>[], size: number, next: number) {
    this.buckets = buckets;
    this.size = size;
    this.next = next;
  }

  static readonly #empty: SharedMap<never> = new SharedMap<never>([new Map()], 0, 0);

  static of<V>(entries?: Iterable<readonly [key: string, value: V]>): SharedMap<V> {
    if (entries === undefined) return SharedMap.#empty; // a new engine has half a dozen of these
    const values = new Map(entries);
    let count = 1;
    while (count * BUCKET_SIZE < values.size) count *= 2;
    const buckets = Array.from({ length: count }, () => new Map<string, Entry<V>>());
    let place = 0;
    for (const [key, value] of values) {
      buckets[indexOf(key, count)]!.set(key, { value, place: place++ });
    }
    return new SharedMap(buckets, values.size, place);
  }

  /** The same with a key set to a value: in its place, or last where it is new. */
  with(key: string, value: V): SharedMap<V> {
    const place = this.entry(key)?.place;
    // Twice the buckets, once they are full: each key is moved so once or twice in all.
    if (place === undefined && this.size >= 2 * BUCKET_SIZE * this.buckets.length) {
      return SharedMap.of([...this, [key, value]]);
    }
    const entry = { value, place: place ?? this.next };
    return this.#change(key, place === undefined ? 1 : 0, (bucket) => bucket.set(key, entry));
  }

  /** The same without a key. */
  without(key: string): SharedMap<V> {
    return this.has(key) ? this.#change(key, -1, (bucket) => bucket.delete(key)) : this;
  }

  /** The same with a key called otherwise, in its place and with a value. */
  rename(from: string, to: string, value: V): SharedMap<V> {
    return SharedMap.of(Array.from(this, (entry) => (entry[0] === from ? [to, value] : entry)));
  }

  /** The entries whose values meet a condition. */
  filter(meets: (value: V) => boolean): SharedMap<V> {
    return SharedMap.of([...this].filter(([, value]) => meets(value)));
  }

  get(key: string): V | undefined {
    return this.entry(key)?.value;
  }

  entry(key: string): Entry<V> | undefined {
    return this.#bucketOf(key).get(key);
  }

  has(key: string): boolean {
    return this.#bucketOf(key).has(key);
  }

  *entries(): MapIterator<[string, V]> {
    const entries = this.buckets.flatMap((bucket) => [...bucket]);
    for (const [key, { value }] of entries.sort(([, a], [, b]) => a.place - b.place)) {
      yield [key, value];
    }
  }

  *keys(): MapIterator<string> {
    for (const [key] of this) yield key;
  }

  *values(): MapIterator<V> {
    for (const [, value] of this) yield value;
  }

  [Symbol.iterator](): MapIterator<[string, V]> {
    return this.entries();
  }

  forEach(act: (value: V, key: string, map: ReadonlyMap<string, V>) => void): void {
    for (const [key, value] of this) act(value, key, this);
  }

  #bucketOf(key: string): Bucket<V> {
    return this.buckets[indexOf(key, this.buckets.length)]!;
  }

  #change(
    key: string,
    more: number,
    change: (bucket: Map<string, Entry<V>>) => void,
  ): SharedMap<V> {
    const bucket = new Map(this.#bucketOf(key));
    change(bucket);
    const buckets = this.buckets.with(indexOf(key, this.buckets.length), bucket);
    return new SharedMap(buckets, this.size + more, this.next + Math.max(0, more));
  }
}

/** The bucket of a key; any for a value that is no text, which is never found. */
function indexOf(key: unknown, count: number): number {
  return count > 1 && typeof key === "string" ? hashString(key) & (count - 1) : 0;
}
