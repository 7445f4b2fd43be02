import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import type { TableSchema } from "../state/catalog.js";
import { setParams } from "../state/place.js";
import { quickFilter, readQuickFind } from "../state/quick-find.js";
import { titleColumns } from "../state/titles.js";
import { useTyped } from "./field.jsx";

const WAIT_MS = 200;

/** A field that filters the records by a text in any of their text columns. */
export function QuickFind({ table, filter }: { table: TableSchema; filter: string }): VNode {
  const columns = titleColumns(table);
  const given = readQuickFind(columns, filter);
  const [text, setText] = useTyped(given ?? "");
  useEffect(() => {
    if (given === undefined || text === given) return;
    const next = quickFilter(columns, text);
    const timer = setTimeout(() => setParams({ filter: next }, { replace: true }), WAIT_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <input
      type="search"
      class="find"
      aria-label={`Find in ${table.name}`}
      placeholder={given === undefined ? "Filter is on" : "Find"}
      title={given === undefined ? "Clear the filter to find" : undefined}
      disabled={given === undefined}
      value={text}
      onInput={(event) => setText(event.currentTarget.value)}
    />
  );
}
