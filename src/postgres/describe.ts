import type { ClientBase, Connection, Submittable } from "pg";
import { columnsOf, type Description } from "./driver.js";

/** What the package says to a query that it was given, beside what its types name. */
interface Fields {
  readonly fields: Parameters<typeof columnsOf>[0];
}

/** Asks a server what a statement takes and gives, without running it. */
export class StatementDescription implements Submittable {
  /** Set by whoever waits, and by the package where it stops waiting. */
  callback: ((error: unknown) => void) | undefined;
  readonly #text: string;
  #parameters: readonly number[] = [];
  #columns: Description["columns"] = [];

  constructor(text: string) {
    this.#text = text;
  }

  /** Asks over a connection that nothing else is under way on. */
  of(client: ClientBase & { pipeline?: boolean }): Promise<Description> {
    return new Promise((resolve, reject) => {
      this.callback = (error) => {
        client.pipeline = true;
        if (error) reject(error);
        else resolve({ parameters: this.#parameters, columns: this.#columns });
      };
      // The package takes a query of another class only while it sends one at a time.
      client.pipeline = false;
      client.query(this);
    });
  }

  submit(connection: Connection): void {
    const onParameters = ({ dataTypeIDs }: { dataTypeIDs: number[] }): void => {
      this.#parameters = dataTypeIDs;
    };
    connection.once("parameterDescription", onParameters);
    connection.once("readyForQuery", () => connection.off("parameterDescription", onParameters));
    connection.parse({ name: "", text: this.#text, types: [] }, true);
    connection.describe({ type: "S", name: "" }, true);
    connection.sync();
  }

  handleRowDescription({ fields }: Fields): void {
    this.#columns = columnsOf(fields);
  }

  handleError(error: unknown): void {
    this.callback?.(error);
    this.callback = undefined;
  }

  handleReadyForQuery(): void {
    this.callback?.(undefined);
  }
}
