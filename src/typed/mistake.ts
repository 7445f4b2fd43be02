/** An error type: the compiler's message shows the sentence. */
export interface Invalid<Sentence> {
  readonly "it is": Sentence;
}

/** Names at edit distance 1 from a word, or that differ only in case. */
export type Nearest<Names extends string, Word extends string> = Names extends string
  ? IsNear<Lowercase<Names>, Lowercase<Word>> extends true
    ? Names
    : never
  : never;

type IsNear<A extends string, B extends string> = A extends B
  ? true
  : A extends `${infer First}${infer RestA}`
    ? B extends `${First}${infer RestB}`
      ? IsNear<RestA, RestB>
      : IsOneEdit<A, B>
    : IsOneEdit<A, B>;

type IsOneEdit<A extends string, B extends string> =
  Tail<A> extends B
    ? true
    : Tail<B> extends A
      ? true
      : Tail<A> extends Tail<B>
        ? true
        : A extends `${infer First}${infer Second}${infer Rest}`
          ? B extends `${Second}${First}${Rest}`
            ? true
            : false
          : false;

type Tail<Text extends string> = Text extends `${string}${infer Rest}` ? Rest : never;
