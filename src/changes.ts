import type { Change, Subscription } from "./engine/change.js";
import { describeChanges } from "./engine/changes.js";
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
  const { feed, profile } = Engine.contextOf(engine);
  const unsubscribe = feed.listen(listener, (notice) => describeChanges(notice, profile));
  return { unsubscribe, [Symbol.dispose]: unsubscribe };
}
