import type { ClientBase, Connection, Query } from "pg";
import type { Row } from "../sql/project.js";
import type { Statement } from "../sql/statement.js";
import type { Description } from "./driver.js";

/** A statement, prepared once per connection if it has a name. */
export type NamedStatement = Statement & { readonly name?: string | undefined };

export interface Wire {
  /**
   * Runs statements as one transaction, unless one is open; returns the rows of the last. Calls `onComplete`
   * after each.
   */
  readonly run: (
    client: ClientBase,
    statements: readonly NamedStatement[],
    timeout?: number,
    onComplete?: () => void,
  ) => Promise<Row[]>;
  /** Describes a single statement without running it. */
  readonly describe: (client: ClientBase, text: string, timeout?: number) => Promise<Description>;
}

/** Members of `pg` that its types lack. */
interface UntypedQuery extends Query {
  text: string;
  name: string | undefined;
  queryMode: "extended";
  /** Milliseconds after which the connection is closed; default the client's. */
  query_timeout: number | undefined;
  callback: (error: unknown) => void;
  hasBeenParsed(connection: Connection): boolean;
  handleError(error: unknown, connection: Connection): void;
}
interface UntypedConnection extends Connection {
  readonly submittedNamedStatements: Record<string, string>;
}
interface ParameterDescription {
  readonly dataTypeIDs: readonly number[];
}
interface RowDescription {
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[];
}

/**
 * Sends statements with text parameters and results. The queries of `pg` request a description of
 * the columns each time, which costs a quarter of the time of reading one row. `Base` is the class
 * of queries that clients accept in a pipeline.
 */
export function createWire(Base: typeof Query): Wire {
  // pg 8.23 has these members. It calls `prepare` to send a query, then the handlers.
  const Untyped = Base as unknown as new (text: string) => UntypedQuery;

  class TextQuery extends Untyped {
    found: Row[] = [];
    onComplete: (() => void) | undefined;
    readonly #statements: readonly NamedStatement[];
    #next = 0;

    constructor(statements: readonly NamedStatement[]) {
      super("");
      this.queryMode = "extended";
      this.#statements = statements;
      this.#proceed();
    }

    /** `pg` notes the current text by its name once it is parsed. */
    #proceed(): void {
      const statement = this.#statements[this.#next++];
      if (statement === undefined) return;
      this.text = statement.text;
      this.name = statement.name;
      this.found = [];
    }

    prepare(connection: UntypedConnection): void {
      for (const { text, values, name = "" } of this.#statements) {
        this.name = name;
        if (!this.hasBeenParsed(connection)) {
          connection.parse({ name, text, types: [] }, true);
          if (name !== "") connection.submittedNamedStatements[name] = text;
        }
        connection.bind({ statement: name, values: [...values] }, true);
        connection.execute(null, true);
      }
      this.name = this.#statements[0]?.name;
      connection.sync();
    }

    handleDataRow({ fields }: { readonly fields: Row }): void {
      this.found.push(fields);
    }

    handleCommandComplete(): void {
      this.onComplete?.();
      this.#proceed();
    }

    override handleError(error: unknown, connection: UntypedConnection): void {
      // The server skips the statements that follow.
      for (const { name } of this.#statements.slice(this.#next)) {
        if (name !== undefined) delete connection.submittedNamedStatements[name];
      }
      super.handleError(error, connection);
    }

    handleReadyForQuery(): void {
      this.callback(undefined);
    }

    end(): void {}
  }

  class DescribingQuery extends TextQuery {
    parameters: Description["parameters"] = [];
    columns: Description["columns"] = [];

    override prepare(connection: UntypedConnection): void {
      const onParameters = ({ dataTypeIDs }: ParameterDescription): void => {
        this.parameters = dataTypeIDs;
      };
      connection.on("parameterDescription", onParameters);
      this.end = () => void connection.off("parameterDescription", onParameters);
      connection.parse({ name: "", text: this.text, types: [] }, true);
      connection.describe({ type: "S", name: "" }, true);
      connection.sync();
    }

    handleRowDescription({ fields }: RowDescription): void {
      this.columns = fields.map(({ name, dataTypeID }) => ({ name, type: dataTypeID }));
    }
  }

  const send = <Q extends TextQuery>(
    client: ClientBase,
    query: Q,
    timeout: number | undefined,
  ): Promise<Q> =>
    new Promise((resolve, reject) => {
      query.query_timeout = timeout;
      query.callback = (error) => {
        query.end();
        if (error) reject(error);
        else resolve(query);
      };
      client.query(query);
    });
  return {
    run: async (client, statements, timeout, onComplete) => {
      const query = new TextQuery(statements);
      query.onComplete = onComplete;
      return (await send(client, query, timeout)).found;
    },
    describe: async (client, text, timeout) => {
      const statement = { text, values: [] };
      const query = new DescribingQuery([statement]);
      const { parameters, columns } = await send(client, query, timeout);
      return { parameters, columns };
    },
  };
}
