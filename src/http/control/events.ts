import type { TableAddress } from "../../catalog/address.js";
import { type Change, subscribe } from "../../changes.js";
import type { AnyEngine } from "../../engine.js";
import { refuse } from "../../errors.js";

const EVENT_MS = 150;
/** Maximum ids in an event; `more` is set for a table with more changes. */
const MAX_IDS = 1000;
const MAX_TABLES = 100;
const MAX_STREAMS = 100;

interface TableEvent extends TableAddress {
  inserted: number;
  deleted: number;
  readonly updatedIds: string[];
  readonly deletedIds: string[];
  more: boolean;
}

interface ChangeEvent {
  readonly tables: Map<string, TableEvent>;
  catalog: boolean;
  ids: number;
}

/**
 * Creates a function that opens a stream of server-sent events. Memory is bounded: slow clients get
 * fewer, larger events. A stream ends if too many tables changed; a client that connects again must
 * load everything.
 */
export function createEvents(engine: AnyEngine): () => ReadableStream<Uint8Array> {
  let streams = 0;
  return () => {
    if (streams >= MAX_STREAMS) {
      refuse("unavailable", `at most ${MAX_STREAMS} event streams`, { rule: "E-3" });
    }
    streams++;
    return openStream(engine, () => streams--);
  };
}

function openStream(engine: AnyEngine, onCancel: () => void): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const write = (event: string, data: unknown): Uint8Array =>
    encoder.encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  let pending: ChangeEvent | undefined;
  let wake = (): void => {};
  const { unsubscribe } = subscribe(engine, (changes) => {
    pending ??= { tables: new Map(), catalog: false, ids: 0 };
    for (const change of changes) {
      if (pending.tables.size <= MAX_TABLES) addChange(pending, change);
    }
    wake();
  });
  const end = (): void => {
    unsubscribe();
    onCancel();
  };
  return new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(write("open", {})),
    async pull(controller) {
      if (pending === undefined) await new Promise<void>((resolve) => (wake = resolve));
      await new Promise((resolve) => setTimeout(resolve, EVENT_MS));
      const { tables, catalog } = pending!; // only this function clears it
      pending = undefined;
      if (tables.size > MAX_TABLES) {
        end();
        controller.close();
        return;
      }
      controller.enqueue(write("changes", { tables: [...tables.values()], catalog }));
    },
    cancel: end,
  });
}

function addChange(event: ChangeEvent, change: Change): void {
  switch (change.kind) {
    case "record_inserted":
      tableOf(event, change).inserted++;
      return;
    case "record_updated":
      addId(event, tableOf(event, change), "updatedIds", change.after.id);
      return;
    case "record_deleted": {
      const table = tableOf(event, change);
      table.deleted++;
      addId(event, table, "deletedIds", change.record.id);
      return;
    }
    default:
      event.catalog ||= !change.kind.startsWith("user_");
  }
}

function addId(
  event: ChangeEvent,
  table: TableEvent,
  list: "updatedIds" | "deletedIds",
  id: string,
): void {
  if (event.ids++ < MAX_IDS) table[list].push(id);
  else table.more = true;
}

function tableOf({ tables }: ChangeEvent, at: TableAddress): TableEvent {
  const { workspace, database, branch, table } = at;
  const key = JSON.stringify([workspace, database, branch, table]);
  let found = tables.get(key);
  if (found === undefined) {
    const none = { inserted: 0, deleted: 0, updatedIds: [], deletedIds: [], more: false };
    found = { workspace, database, branch, table, ...none };
    tables.set(key, found);
  }
  return found;
}
