import type { ClientBase, Connection, Query } from "pg";
import type { Row } from "../sql/project.js";
import type { Statement } from "../sql/statement.js";

/** Sends a statement over a connection; with a name it is prepared, once for each connection. */
export type Send = (
  client: ClientBase,
  statement: Statement,
  name: string | undefined,
) => Promise<Row[]>;

/** Members of a query, and of a connection, that the types of `pg` leave out. */
interface UntypedQuery extends Query {
  name: string | undefined;
  queryMode: "extended";
  callback: (error: unknown, rows?: Row[]) => void;
  hasBeenParsed(connection: Connection): boolean;
}
interface UntypedConnection extends Connection {
  readonly submittedNamedStatements: Record<string, string>;
}

/**
 * Sends statements whose values are text both ways. The queries of `pg` ask for a description of the
 * columns each time, which takes a third of the time of reading one row; these do not.
 *
 * @param Base the class of queries that the clients accept in a pipeline
 */
export function createSend(Base: typeof Query): Send {
  const Untyped = Base as unknown as new (text: string) => UntypedQuery; // pg 8.23 has these members
  class TextQuery extends Untyped {
    readonly #statement: Statement;
    readonly #rows: Row[] = [];

    constructor(statement: Statement, name: string | undefined) {
      super(statement.text);
      this.#statement = statement;
      this.name = name;
      this.queryMode = "extended";
    }

    /** Called by `submit`. */
    prepare(connection: UntypedConnection): void {
      const { text, values } = this.#statement;
      const name = this.name ?? "";
      if (!this.hasBeenParsed(connection)) {
        connection.parse({ name, text, types: [] }, true);
        if (name !== "") connection.submittedNamedStatements[name] = text;
      }
      connection.bind({ statement: name, values: [...values] }, true);
      connection.execute(null, true);
      connection.sync();
    }

    handleDataRow({ fields }: { readonly fields: Row }): void {
      this.#rows.push(fields);
    }

    handleCommandComplete(): void {}

    handleReadyForQuery(): void {
      this.callback(undefined, this.#rows);
    }
  }
  return (client, statement, name) =>
    new Promise((resolve, reject) => {
      const query = new TextQuery(statement, name);
      query.callback = (error, rows = []) => (error ? reject(error) : resolve(rows));
      client.query(query);
    });
}
