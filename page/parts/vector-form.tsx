import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { AnyRecord } from "../../src/types.js";
import { service, tablePath } from "../state/api.js";
import { leavesOf, valueAt } from "../state/columns.js";
import { describeError } from "../state/load.js";
import { hrefTo, place, setParams } from "../state/place.js";
import { Empty } from "./empty.jsx";
import { Choice, TextField, useTyped } from "./field.jsx";
import { FilterField, type SearchFormProps } from "./words-form.jsx";

/** Vector search form: column, and a vector or a record to compare with. */
export function VectorForm({ tables, by, error }: SearchFormProps): VNode {
  const { address, params } = place.value;
  const [workspace = "", database = "", branch = ""] = address;
  const { vector = "", similarity = "", size = "" } = params;
  const columns = tables.flatMap((table) =>
    leavesOf(table)
      .filter(({ type }) => type === "vector")
      .map(({ path }) => ({ table: table.name, path })),
  );
  const isThis = ({ table, path }: { table: string; path: string }): boolean =>
    table === params.in && path === params.column;
  const chosen = columns.find(isThis) ?? columns[0];
  const [numbers, setNumbers] = useTyped(vector);
  const [filter, setFilter] = useTyped(params.filter ?? "");
  const [id, setId] = useState("");
  const [fault, setFault] = useState("");
  if (chosen === undefined) {
    return (
      <>
        <div class="toolbar bottom">{by}</div>
        <Empty
          title="No vector columns"
          text="No table of this branch has a vector column. Add one in the schema."
        >
          <a class="button" href={hrefTo("schema", address.slice(0, 3))}>
            Open the schema
          </a>
        </Empty>
      </>
    );
  }
  const { table, path } = chosen;
  const search = (text: string): void => {
    setFault("");
    setParams({ in: table, column: path, vector: text, filter });
  };
  const takeNumbers = async (): Promise<void> => {
    try {
      const at = `${tablePath(database, branch, table)}/data/${encodeURIComponent(id)}`;
      const record = await service<AnyRecord>(workspace, "GET", at);
      const value = valueAt(record, path);
      if (Array.isArray(value)) search(JSON.stringify(value));
      else setFault(`The record ${id} has no vector in this column.`);
    } catch (wrong) {
      setFault(describeError(wrong));
    }
  };
  return (
    <form
      role="search"
      class="search-form"
      onSubmit={(event) => {
        event.preventDefault();
        search(numbers);
      }}
    >
      <div class="toolbar bottom">
        {by}
        <Choice
          label="Column"
          value={JSON.stringify([table, path])}
          options={columns.map((of) => [
            JSON.stringify([of.table, of.path]),
            `${of.table} / ${of.path}`,
          ])}
          onChange={(to) => {
            const [inTable = "", column = ""] = JSON.parse(to) as string[];
            setParams({ in: inTable, column, vector: "", filter: "" });
          }}
        />
        <TextField
          label="Vector"
          isWide
          placeholder="[0.1, 0.2, …]"
          isWrong={error?.path?.startsWith("/queryVector") ?? false}
          value={numbers}
          onInput={setNumbers}
        />
        <Choice
          label="Similarity"
          value={similarity}
          options={[["", "cosine"], "l1", "l2"]}
          onChange={(to) => setParams({ similarity: to })}
        />
        <Choice
          label="Limit"
          value={size}
          options={[["", "10"], "50", "200"]}
          onChange={(to) => setParams({ size: to })}
        />
        <button type="submit" class="primary">
          Search
        </button>
      </div>
      <div class="toolbar bottom">
        <FilterField error={error} value={filter} onInput={setFilter} />
        <TextField label="Or the vector of record" value={id} onInput={setId} />
        <button type="button" disabled={id === ""} onClick={() => void takeNumbers()}>
          Find similar
        </button>
        {fault !== "" && (
          <p class="fault" role="alert">
            {fault}
          </p>
        )}
      </div>
    </form>
  );
}
