/** A sequential specification: the initial state and the effect of each operation. */
export interface Model<S, I> {
  readonly initial: S;
  /** Returns the next state, which is JSON, and the answer. */
  apply(state: S, input: I): { readonly state: S; readonly output: string };
}

export interface Operation<I> {
  readonly client: number;
  readonly input: I;
  /** Undefined if it is unknown whether it took effect. */
  readonly output: string | undefined;
  readonly sent: number;
  /** Infinite if the output is unknown: it may take effect at any time. */
  readonly answered: number;
}

const MOST_STATES = 50_000;

/**
 * Whether some order of the operations explains all answers; undefined if the search was aborted.
 * Algorithm of Wing and Gong, memoized by the set of operations and the state.
 */
export function isLinearizable<S, I>(
  model: Model<S, I>,
  operations: readonly Operation<I>[],
  mostStates: number = MOST_STATES,
): boolean | undefined {
  const seen = new Set<string>();
  const visit = (done: bigint, state: S, left: number): boolean | undefined => {
    if (left === 0) return true;
    const text = JSON.stringify(state);
    const key = `${done} ${text}`;
    if (seen.has(key)) return false;
    if (seen.size >= mostStates) return undefined;
    seen.add(key);
    const isDone = (i: number): boolean => ((done >> BigInt(i)) & 1n) === 1n;
    const firstAnswer = operations.reduce(
      (least, { answered }, i) => (isDone(i) ? least : Math.min(least, answered)),
      Number.POSITIVE_INFINITY,
    );
    for (const [i, { input, output, sent }] of operations.entries()) {
      if (isDone(i) || sent > firstAnswer) continue;
      const next = model.apply(state, input);
      const isUnknown = output === undefined;
      // An operation of unknown output without an effect can be left out.
      if (isUnknown ? JSON.stringify(next.state) === text : next.output !== output) continue;
      const found = visit(done | (1n << BigInt(i)), next.state, left - Number(!isUnknown));
      if (found !== false) return found;
    }
    return false;
  };
  const known = operations.filter(({ output }) => output !== undefined);
  return visit(0n, model.initial, known.length);
}

/**
 * Returns a minimal part of a non-linearizable history; its other operations may take effect at any
 * time.
 */
export function minimizeHistory<S, I>(
  model: Model<S, I>,
  operations: readonly Operation<I>[],
): Operation<I>[] {
  const isBroken = (some: readonly Operation<I>[]): boolean =>
    isLinearizable(model, some) === false;
  const ends = operations.map(({ answered }) => answered).sort((a, b) => a - b);
  const until = (end: number): Operation<I>[] =>
    operations
      .filter(({ sent }) => sent < end)
      .map((each) => (each.answered > end ? forget(each) : each));
  const end = ends.find((each) => isBroken(until(each))) ?? Number.POSITIVE_INFINITY;
  let history = until(end);
  for (const [i, operation] of history.entries()) {
    const weaker = history.with(i, forget(operation));
    if (isBroken(weaker)) history = weaker;
  }
  return history.filter(({ output }) => output !== undefined);
}

function forget<I>(operation: Operation<I>): Operation<I> {
  return { ...operation, output: undefined, answered: Number.POSITIVE_INFINITY };
}
