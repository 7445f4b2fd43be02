import type { Change, Subscription } from "./engine/change.js";
import { changesIn } from "./engine/changes.js";
import { createRecordComparison } from "./engine/record-changes.js";
import { type AnyEngine, Engine } from "./engine.js";

export type { Change, RecordChange, Subscription } from "./engine/change.js";
export { diff } from "./engine/changes.js";

/**
 * Tells of what every write changes from here on, once it is done: all changes of one call
 * together. It costs what was written. A listener cannot write to this engine; what it throws is
 * said on the console.
 *
 * @example
 * const subscription = subscribe(engine, (changes) => console.log(changes));
 */
export function subscribe(
  engine: AnyEngine,
  listener: (changes: readonly Change[]) => void,
): Subscription {
  const { feed, profile } = Engine.contextOf(engine);
  const unsubscribe = feed.listen((notice) => {
    // Of a table that is new or altered, the whole is compared.
    const single = notice.records.filter(({ key }) => !notice.tables.has(key));
    const changes = changesIn(notice, profile).concat(single.flatMap(({ changes }) => changes));
    if (changes.length > 0) listener(changes);
  }, createRecordComparison(profile));
  return { unsubscribe, [Symbol.dispose]: unsubscribe };
}
