import type { AnyRecord, QueryRequest, QueryResult } from "../../src/types.js";
import { idOf } from "../../src/value/id.js";
import { ServiceError, service } from "./api.js";
import { metadataAt, profile } from "./catalog.js";
import { valueAt } from "./columns.js";
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
    const isMatched = await this.#isMatched(id);
    this.#pages.replace(written, isMatched);
    return isMatched;
  }

  /** Inserts a record; an empty id generates one. Returns the id. */
  async insert(changes: object, id: string): Promise<string> {
    const made =
      id === ""
        ? await this.#send<AnyRecord>("POST", "data", changes)
        : await this.#send<AnyRecord>("PUT", `${dataPath(id)}?createOnly=true`, changes);
    return idOf(made);
  }

  /** Reloads a record that somebody else changed. */
  async refresh(id: string): Promise<void> {
    const [record] = await this.#find({ [profile.value.idColumn]: id }, this.#query.columns);
    if (record !== undefined) this.#pages.replace(record, await this.#isMatched(id));
  }

  async #isMatched(id: string): Promise<boolean> {
    const { filter } = this.#query;
    if (Object.keys(filter ?? {}).length === 0) return true;
    const { idColumn } = profile.value;
    return (await this.#find({ $all: [filter!, { [idColumn]: id }] }, [idColumn])).length > 0;
  }

  async #find(
    filter: QueryRequest["filter"],
    columns: QueryRequest["columns"],
  ): Promise<readonly AnyRecord[]> {
    return (await this.#send<QueryResult>("POST", "query", { filter, columns })).records;
  }

  #send<T>(method: string, at: string, body?: object): Promise<T> {
    return service(this.#workspace, method, `${this.#path}/${at}`, { body });
  }
}

/** The version of a record; undefined if its metadata was not selected. */
export function versionOf(record: AnyRecord): number | undefined {
  return valueAt(record, metadataAt("version")) as number | undefined;
}

/** Whether a write failed because of a version conflict. */
export function isConflict(error: unknown): boolean {
  return error instanceof ServiceError && error.code === "version_conflict";
}

function dataPath(id: string): string {
  return `data/${encodeURIComponent(id)}`;
}
