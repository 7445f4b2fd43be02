import fc from "fast-check";

/** A smaller seed does not make a smaller case: it is not shrunk. */
export function seedArbitrary(): fc.Arbitrary<number> {
  return fc.noShrink(fc.nat());
}

/** Some values; each shrinks to those that a function lists, the simplest first. */
export class Shrinking<T> extends fc.Arbitrary<T> {
  readonly values: readonly T[];
  readonly simplify: (value: T) => readonly T[];

  constructor(values: readonly T[], simplify: (value: T) => readonly T[]) {
    super();
    this.values = values;
    this.simplify = simplify;
  }

  override generate(random: fc.Random): fc.Value<T> {
    const value = this.values[random.nextInt(0, this.values.length - 1)];
    return new fc.Value(value as T, undefined); // not empty
  }

  override canShrinkWithoutContext(_: unknown): _ is T {
    return true;
  }

  override shrink(value: T): fc.Stream<fc.Value<T>> {
    const simpler = this.simplify(value).map((each) => new fc.Value(each, undefined));
    return fc.stream(simpler.values());
  }
}
