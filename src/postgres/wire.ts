import type { ClientBase, Connection, Query } from "pg";
import type { Row } from "../sql/project.js";
import type { Statement } from "../sql/statement.js";
import { columnsOf, type Description } from "./driver.js";

export interface Wire {
  /** Runs a statement, prepared once per connection if it has a name. */
  readonly run: (client: ClientBase, statement: Statement, name?: string) => Promise<Row[]>;
  /** Describes a single statement without running it. */
  readonly describe: (client: ClientBase, text: string) => Promise<Description>;
}

/** Members of `pg` that its types lack. */
interface UntypedQuery extends Query {
  readonly text: string;
  name: string | undefined;
  queryMode: "extended";
  callback: (error: unknown) => void;
  hasBeenParsed(connection: Connection): boolean;
}
interface UntypedConnection extends Connection {
  readonly submittedNamedStatements: Record<string, string>;
}
interface ParameterDescription {
  readonly dataTypeIDs: readonly number[];
}
interface RowDescription {
  readonly fields: Parameters<typeof columnsOf>[0];
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
    readonly found: Row[] = [];
    readonly #statement: Statement;

    constructor(statement: Statement, name: string | undefined) {
      super(statement.text);
      this.queryMode = "extended";
      this.name = name;
      this.#statement = statement;
    }

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
      this.found.push(fields);
    }

    handleCommandComplete(): void {}

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
      this.columns = columnsOf(fields);
    }
  }

  const send = <Q extends TextQuery>(client: ClientBase, query: Q): Promise<Q> =>
    new Promise((resolve, reject) => {
      query.callback = (error) => {
        query.end();
        if (error) reject(error);
        else resolve(query);
      };
      client.query(query);
    });
  return {
    run: async (client, statement, name) =>
      (await send(client, new TextQuery(statement, name))).found,
    describe: async (client, text) => {
      const statement = { text, values: [] };
      const { parameters, columns } = await send(client, new DescribingQuery(statement, undefined));
      return { parameters, columns };
    },
  };
}
