import type { ComponentChildren, VNode } from "preact";
import { useLayoutEffect, useMemo, useState } from "preact/hooks";
import type { ServiceError } from "../state/api.js";
import { buildBoosters, readBoosters } from "../state/boosters.js";
import type { TableSchema } from "../state/catalog.js";
import { reachableLeaves } from "../state/columns.js";
import { place, setParams } from "../state/place.js";
import { BoosterRows } from "./booster-rows.jsx";
import { Choice, TextField, useTyped } from "./field.jsx";

export interface SearchFormProps {
  readonly tables: readonly TableSchema[];
  /** The mode selector. */
  readonly by: ComponentChildren;
  readonly error: ServiceError | undefined;
}

/** Full-text search form: words, table, typo tolerance, boosters. */
export function WordsForm({ tables, by, error }: SearchFormProps): VNode {
  const { params } = place.value;
  const { words = "", in: table = "", fuzziness = "1", prefix = "", boosters = "" } = params;
  const [text, setText] = useTyped(words);
  const [filter, setFilter] = useTyped(params.filter ?? "");
  const [target, setTarget] = useTyped(params.target ?? "");
  const [drafts, setDrafts] = useState(() => readBoosters(boosters));
  // An error applies to the submitted boosters only.
  const [isChanged, setChanged] = useState(false);
  useLayoutEffect(() => {
    setDrafts(readBoosters(boosters));
    setChanged(false);
  }, [boosters, table]);
  const schema = tables.find(({ name }) => name === table);
  const leaves = useMemo(
    () => (schema === undefined ? [] : reachableLeaves(schema, tables)),
    [schema, tables],
  );
  return (
    <form
      role="search"
      class="search-form"
      onSubmit={(event) => {
        event.preventDefault();
        setChanged(false);
        const built = buildBoosters(drafts, leaves);
        const given = built.length === 0 ? "" : JSON.stringify(built);
        setParams({ words: text, filter, target, boosters: given });
      }}
    >
      <div class="toolbar bottom">
        {by}
        <TextField label="Search for" isWide value={text} onInput={setText} />
        <Choice
          label="In"
          value={table}
          options={[["", "all tables"], ...tables.map(({ name }) => name)]}
          onChange={(to) => setParams({ in: to, filter: "", target: "", boosters: "" })}
        />
        <Choice
          label="Typo tolerance"
          value={fuzziness}
          options={["0", "1", "2"]}
          onChange={(to) => setParams({ fuzziness: to })}
        />
        <Choice
          label="Match"
          value={prefix}
          options={[
            ["", "any word"],
            ["phrase", "phrase (prefix)"],
          ]}
          onChange={(to) => setParams({ prefix: to })}
        />
        <button type="submit" class="primary">
          Search
        </button>
      </div>
      {schema === undefined ? (
        <p class="hint">Choose one table to filter, weight columns and add boosters.</p>
      ) : (
        <>
          <div class="toolbar bottom">
            <TextField
              label="Columns"
              isWide
              placeholder={'["title", {"column": "labels", "weight": 5}]'}
              isWrong={error?.path?.startsWith("/target") ?? false}
              value={target}
              onInput={setTarget}
            />
            <FilterField error={error} value={filter} onInput={setFilter} />
          </div>
          <BoosterRows
            drafts={drafts}
            leaves={leaves}
            error={isChanged ? undefined : error}
            onChange={(next) => {
              setChanged(true);
              setDrafts(next);
            }}
          />
        </>
      )}
    </form>
  );
}

export function FilterField({
  error,
  value,
  onInput,
}: {
  error: ServiceError | undefined;
  value: string;
  onInput: (text: string) => void;
}): VNode {
  return (
    <TextField
      label="Filter"
      isWide
      placeholder="a filter as JSON"
      isWrong={error?.path?.startsWith("/filter") ?? false}
      value={value}
      onInput={onInput}
    />
  );
}
