import type { AnyRecord, QueryRequest, QueryResult } from "../../src/types.js";
import { service } from "./api.js";
import { metadataColumn } from "./catalog.js";
import type { RecordPages } from "./pages.js";

/** Writes records of a table, and shows what was written in the pages of a query. */
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

  /** Changes a record unless another has changed it since; tells whether the query finds it still. */
  async update(record: AnyRecord, changes: object): Promise<boolean> {
    const search = new URLSearchParams({ columns: (this.#query.columns ?? ["*"]).join(",") });
    const known = record[metadataColumn.value] as { version: number } | undefined;
    if (known !== undefined) search.set("ifVersion", String(known.version));
    const written = await this.#send<AnyRecord>(
      "PATCH",
      `${dataPath(record.id)}?${search}`,
      changes,
    );
    const isMatched = await this.#isFound(record.id);
    this.#pages.replace(written, isMatched);
    return isMatched;
  }

  /** Makes a record, under an id of its own where one is given, and tells its id. */
  async insert(changes: object, id: string): Promise<string> {
    const made =
      id === ""
        ? await this.#send<AnyRecord>("POST", "data", changes)
        : await this.#send<AnyRecord>("PUT", `${dataPath(id)}?createOnly=true`, changes);
    return made.id;
  }

  async remove(id: string): Promise<void> {
    await this.#send("DELETE", dataPath(id));
  }

  async #isFound(id: string): Promise<boolean> {
    if (this.#query.filter === undefined) return true;
    const body = { columns: ["id"], filter: { $all: [this.#query.filter, { id }] } };
    const { records } = await this.#send<QueryResult>("POST", "query", body);
    return records.length > 0;
  }

  #send<T>(method: string, at: string, body?: object): Promise<T> {
    return service(this.#workspace, method, `${this.#path}/${at}`, { body });
  }
}

function dataPath(id: string): string {
  return `data/${encodeURIComponent(id)}`;
}
