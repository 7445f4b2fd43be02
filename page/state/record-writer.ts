import type { AnyRecord, QueryRequest, QueryResult } from "../../src/types.js";
import { ServiceError, service } from "./api.js";
import { metadataColumn } from "./catalog.js";
import type { RecordPages } from "./pages.js";

/** Writes records and updates the loaded pages. */
export class RecordWriter {
  readonly #workspace: string;
  readonly #path: string;
  readonly #query: QueryRequest;
  readonly #pages: RecordPages;

  /** @param path of the table, below the service */
  constructor(workspace: string, path: string, query: QueryRequest, pages: RecordPages) {
    this.#workspace = workspace;
    this.#path = path;
    this.#query = query;
    this.#pages = pages;
  }

  /**
   * Updates a record; returns whether it still matches the query.
   *
   * @param version expected version; undefined overwrites others' changes
   */
  async update(id: string, changes: object, version: number | undefined): Promise<boolean> {
    const search = new URLSearchParams({ columns: (this.#query.columns ?? ["*"]).join(",") });
    if (version !== undefined) search.set("ifVersion", String(version));
    const written = await this.#send<AnyRecord>("PATCH", `${dataPath(id)}?${search}`, changes);
    const isMatched = (await this.#findMatching([id])).has(id);
    this.#pages.replace(written, isMatched);
    return isMatched;
  }

  /** Inserts a record; an empty id generates one. Returns the id. */
  async insert(changes: object, id: string): Promise<string> {
    const made =
      id === ""
        ? await this.#send<AnyRecord>("POST", "data", changes)
        : await this.#send<AnyRecord>("PUT", `${dataPath(id)}?createOnly=true`, changes);
    return made.id;
  }

  /** Reloads records that others changed: flashes those that differ, marks those deleted. */
  async refresh(ids: readonly string[]): Promise<void> {
    const body = {
      ...(this.#query.columns && { columns: this.#query.columns }),
      filter: { id: { $any: ids } },
      page: { size: ids.length },
    };
    const { records } = await this.#send<QueryResult>("POST", "query", body);
    const found = records.map(({ id }) => id);
    for (const id of ids) this.#pages.setGone(id, !found.includes(id));
    const matching = await this.#findMatching(found);
    for (const record of records) {
      const known = this.#pages.at(this.#pages.find(record.id));
      if (JSON.stringify(known) === JSON.stringify(record)) continue;
      this.#pages.flash(record.id);
      this.#pages.replace(record, matching.has(record.id));
    }
  }

  async #findMatching(ids: readonly string[]): Promise<ReadonlySet<string>> {
    if (this.#query.filter === undefined || ids.length === 0) return new Set(ids);
    const filter = { $all: [this.#query.filter, { id: { $any: ids } }] };
    const body = { columns: ["id"], filter, page: { size: ids.length } };
    const { records } = await this.#send<QueryResult>("POST", "query", body);
    return new Set(records.map(({ id }) => id));
  }

  #send<T>(method: string, at: string, body?: object): Promise<T> {
    return service(this.#workspace, method, `${this.#path}/${at}`, { body });
  }
}

/** The version of a record; undefined if its metadata was not selected. */
export function versionOf(record: AnyRecord): number | undefined {
  return (record[metadataColumn.value] as { version: number } | undefined)?.version;
}

/** Whether a write failed because of a version conflict. */
export function isConflict(error: unknown): boolean {
  return error instanceof ServiceError && error.code === "version_conflict";
}

function dataPath(id: string): string {
  return `data/${encodeURIComponent(id)}`;
}
