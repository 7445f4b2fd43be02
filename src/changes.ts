import type { Change, Subscription } from "./engine/change.js";
import { describeChanges } from "./engine/changes.js";
import type { EngineContext } from "./engine/context.js";
import type { Notice, WriteObserver } from "./engine/notice.js";
import { type AnyEngine, Engine } from "./engine.js";

export type { Change, RecordChange, Subscription } from "./engine/change.js";
export { diff } from "./engine/changes.js";

/**
 * Calls a listener after every write, with all changes of one call, frozen. The cost is proportional
 * to the size of the writes, whatever the number of listeners. A listener cannot write to this engine; its exceptions go to the console.
 *
 * @example
 * const subscription = subscribe(engine, (changes) => console.log(changes));
 */
export function subscribe(
  engine: AnyEngine,
  listener: (changes: readonly Change[]) => void,
): Subscription {
  const unsubscribe = ChangeListeners.of(Engine.contextOf(engine)).add(listener);
  return { unsubscribe, [Symbol.dispose]: unsubscribe };
}

/** Its changes are frozen: all listeners get the same ones. */
type ChangeListener = (changes: readonly Change[]) => void;

class ChangeListeners implements WriteObserver {
  readonly #context: EngineContext;
  readonly #listeners: Set<ChangeListener> = new Set();

  private constructor(context: EngineContext) {
    this.#context = context;
  }

  static of(context: EngineContext): ChangeListeners {
    const { changes } = context.feed;
    return changes instanceof ChangeListeners ? changes : new ChangeListeners(context);
  }

  /** Returns a function that removes the listener. */
  add(listener: ChangeListener): () => void {
    const { feed } = this.#context;
    this.#listeners.add(listener);
    feed.changes = this;
    return () => {
      const isLast = this.#listeners.delete(listener) && this.#listeners.size === 0;
      if (isLast) feed.changes = undefined;
    };
  }

  /** Calls the listeners; their exceptions are logged. */
  notify(notice: Notice): void {
    const changes = describeChanges(notice, this.#context.profile);
    for (const listener of changes.length === 0 ? [] : [...this.#listeners]) {
      if (!this.#listeners.has(listener)) continue; // removed by a previous listener
      try {
        listener(changes);
      } catch (error) {
        console.error(error);
      }
    }
  }

  close(): void {
    this.#listeners.clear();
    this.#context.feed.changes = undefined;
  }
}
