import { type CatalogEvent, type EntityKind, type EntitySet, KINDS, type Names } from "./events.js";
import type { CatalogState } from "./state.js";

export function applyEvents(state: CatalogState, events: readonly CatalogEvent[]): CatalogState {
  const draft = new CatalogDraft(state);
  for (const event of events) draft.apply(event);
  return draft.finish();
}

type Entries = Map<string, unknown>;
type Parts<Part> = Record<string, Part>;

/** The next catalog: copies what events change, once, and shares everything else. */
export class CatalogDraft {
  #catalog: CatalogState;
  /** Objects, maps and lists that nothing else refers to. */
  readonly #own: Set<object> = new Set();

  constructor(catalog: CatalogState) {
    this.#catalog = catalog;
  }

  /** Valid until the next event. */
  get catalog(): CatalogState {
    return this.#catalog;
  }

  /** Returns the catalog, which later events do not change. */
  finish(): CatalogState {
    this.#own.clear();
    return this.#catalog;
  }

  /** The entities above must exist. */
  apply(event: CatalogEvent): void {
    switch (event.kind) {
      case "created":
      case "changed":
        this.#setEntity(event);
        return;
      case "table_created":
        this.#entriesOf("table", event.at).set(event.at.at(-1)!, event.key);
        return;
      case "table_altered":
        return;
      case "deleted":
        this.#entriesOf(event.entity, event.at).delete(event.at.at(-1)!);
        return;
      case "renamed": {
        const { entity, at, to } = event;
        const entries = this.#entriesOf(entity, at);
        const before = [...entries];
        entries.clear(); // the position stays
        for (const [name, value] of before) entries.set(name === at.at(-1) ? to : name, value);
        return;
      }
      case "history": {
        const history = this.#listOf("branch", event.at);
        history.length = event.index;
        for (const migration of event.migrations) history.push(migration);
        return;
      }
      case "request":
        this.#listOf("database", event.at)[event.index] = event.request;
        return;
      case "counted":
        this.#catalog = { ...this.#catalog, [event.counter]: this.#catalog[event.counter] + 1 };
        return;
    }
  }

  #setEntity({ entity, at, value }: EntitySet<EntityKind>): void {
    const { below = [], list } = KINDS[entity];
    const name = at.at(-1)!;
    const entries = this.#entriesOf(entity, at);
    if (below.length === 0) entries.set(name, value);
    else if (entries.has(name)) Object.assign(this.#open(entity, at), value);
    else {
      const contents: Record<string, object> = {};
      for (const kind of below) contents[KINDS[kind].path.at(-1)!] = new Map();
      if (list !== undefined) contents[list] = [];
      entries.set(name, Object.assign(contents, value));
    }
  }

  /** Returns the entities of a kind in an entity or the catalog, to be changed. */
  #entriesOf(kind: EntityKind, at: Names): Entries {
    const above = at.length - 1;
    return this.#partOf(this.#open(kind, at, above), KINDS[kind].path[above]!);
  }

  #listOf(kind: "branch" | "database", at: Names): unknown[] {
    return this.#partOf(this.#open<unknown[]>(kind, at), KINDS[kind].list!); // both have one
  }

  /** Returns an entity, or one above it, to be changed. The caller knows what its parts are. */
  #open<Part = Entries>(kind: EntityKind, at: Names, depth: number = at.length): Parts<Part> {
    this.#catalog = this.#copy(this.#catalog);
    let node: object = this.#catalog;
    for (let level = 0; level < depth; level++) {
      const entries = this.#partOf(node as Parts<Entries>, KINDS[kind].path[level]!); // by the kind
      node = this.#copy(entries.get(at[level]!) as object); // it has contents
      entries.set(at[level]!, node);
    }
    return node as Parts<Part>;
  }

  #partOf<Part extends object>(node: Parts<Part>, property: string): Part {
    const part = this.#copy(node[property]!);
    node[property] = part;
    return part;
  }

  /** Returns the object itself if it is a copy. */
  #copy<T extends object>(shared: T): T {
    if (this.#own.has(shared)) return shared;
    const own =
      shared instanceof Map ? new Map(shared) : Array.isArray(shared) ? [...shared] : { ...shared };
    this.#own.add(own);
    return own as T; // the same kind of object
  }
}
