import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import { Chart } from "../parts/chart.jsx";
import { Json, Samples } from "../parts/code.jsx";
import { Empty } from "../parts/empty.jsx";
import { Choice, Fault } from "../parts/field.jsx";
import { FilterPanel } from "../parts/filter-panel.jsx";
import { Groups } from "../parts/groups.jsx";
import { Shown } from "../parts/value.jsx";
import { ServiceError, service, tablePath } from "../state/api.js";
import { bucketsOf, CALENDAR, calendarOf, roundInterval } from "../state/buckets.js";
import type { TableSchema } from "../state/catalog.js";
import { type Leaf, reachableLeaves } from "../state/columns.js";
import { useLoad } from "../state/load.js";
import { hrefTo, place, setParams } from "../state/place.js";
import { sampleCall } from "../state/sample-call.js";
import { suggestColumn } from "../state/suggest-column.js";
import { cutText, showNumber, showValue } from "../state/text.js";

interface Bucket {
  readonly $key: unknown;
  readonly $count: number;
}

interface ChartData {
  /** The charted column: data of another one is stale. */
  readonly column: string;
  readonly request: Readonly<Record<string, unknown>>;
  readonly values: readonly Bucket[];
  /** Bucket width, for dates in milliseconds. */
  readonly width: number;
  readonly unit: string;
  readonly facts: readonly (readonly [name: string, value: unknown])[];
}

/** Charts of a table: the distribution of a column, and grouped aggregates. */
export function ChartsView({
  table,
  tables,
}: {
  table: TableSchema;
  tables: readonly TableSchema[];
}): VNode {
  const { address, params } = place.value;
  const leaves = useMemo(() => reachableLeaves(table, tables), [table, tables]);
  const charted = leaves.filter((leaf) => bucketsOf(leaf) !== undefined && leaf.type !== "id");
  const suggested = useLoad(
    (signal) => suggestColumn(address, leaves, signal),
    [address.join("/"), leaves],
  );
  const column = params.column ?? suggested.value;
  // Chart nothing before the suggestion is known.
  const leaf =
    charted.find(({ path }) => path === column) ??
    (suggested.isLoading ? undefined : charted.find(({ definition }) => !definition?.unique));
  const filter = params.filter ?? "";
  const isFiltering = params.panel === "filter";
  const { value, error } = useChartData(table, leaf);
  const kept: Record<string, string> = filter === "" ? {} : { filter };
  if (filter === "" && value?.facts.some(([name, fact]) => name === "records" && fact === 0)) {
    return (
      <Empty title="No records yet" text="Charts show the values of a table's records.">
        <a class="button" href={hrefTo("records", address)}>
          Show the table
        </a>
      </Empty>
    );
  }
  return (
    <div class="stack">
      <div class="toolbar">
        <button
          type="button"
          aria-expanded={isFiltering}
          onClick={() => setParams({ panel: isFiltering ? "" : "filter" })}
        >
          Filter{filter === "" ? "" : " (on)"}
        </button>
        <a href={hrefTo("records", address, kept)}>Records</a>
      </div>
      {isFiltering && (
        <FilterPanel
          filter={filter}
          leaves={leaves}
          error={error}
          onApply={(next) => setParams({ filter: next })}
        />
      )}
      <section class="card">
        <h2>Values of a column</h2>
        <div class="toolbar bottom">
          <Choice
            label="Column"
            value={leaf?.path ?? ""}
            options={charted.map(({ path }) => path)}
            onChange={(column) => setParams({ column, unit: "" })}
          />
          {leaf !== undefined && bucketsOf(leaf) === "dateHistogram" && (
            <Choice
              label="By"
              value={value?.unit ?? ""}
              options={CALENDAR}
              onChange={(unit) => setParams({ unit })}
            />
          )}
        </div>
        {!(isFiltering && error instanceof ServiceError) && (
          <Fault error={error ?? suggested.error} />
        )}
        {leaf !== undefined && value?.column === leaf.path && <Result leaf={leaf} data={value} />}
      </section>
      {!suggested.isLoading && (
        <Groups table={table} leaves={leaves} filter={filter} suggested={suggested.value} />
      )}
    </div>
  );
}

function useChartData(
  table: TableSchema,
  leaf: Leaf | undefined,
): { value: ChartData | undefined; error: Error | undefined } {
  const { address, params } = place.value;
  const [workspace = "", database = "", branch = ""] = address;
  return useLoad<ChartData | undefined>(
    async (signal) => {
      if (leaf === undefined) return undefined;
      const filter = params.filter ? (JSON.parse(params.filter) as object) : undefined;
      const path = `${tablePath(database, branch, table.name)}/aggregate`;
      const span = async (): Promise<Record<string, unknown>> => {
        const summaries = { min: { min: leaf.path }, max: { max: leaf.path } };
        const at = `${tablePath(database, branch, table.name)}/summarize`;
        const body = { ...(filter && { filter }), summaries };
        const answer = await service<{ summaries: Record<string, unknown>[] }>(
          workspace,
          "POST",
          at,
          { body, signal },
        );
        return answer.summaries[0] ?? {};
      };
      const ask = async (aggs: object): Promise<Record<string, unknown>> => {
        const body = { ...(filter && { filter }), aggs };
        const answer = await service<{ aggs: Record<string, unknown> }>(workspace, "POST", path, {
          body,
          signal,
        });
        return answer.aggs;
      };
      return loadChartData(leaf, params.unit, filter, { ask, span });
    },
    [workspace, database, branch, table.name, leaf?.path, params.filter, params.unit],
  );
}

interface Asks {
  readonly ask: (aggs: object) => Promise<Record<string, unknown>>;
  /** Minimum and maximum of a datetime column, which aggregations don't support. */
  readonly span: () => Promise<Record<string, unknown>>;
}

async function loadChartData(
  { path: column, ...rest }: Leaf,
  unit: string | undefined,
  filter: object | undefined,
  { ask, span }: Asks,
): Promise<ChartData> {
  const kind = bucketsOf({ path: column, ...rest });
  const facts: Record<string, object> = {
    records: { count: "*" },
    ...(kind === "numericHistogram" && {
      min: { min: { column } },
      max: { max: { column } },
      average: { average: { column } },
      sum: { sum: { column } },
    }),
    ...(kind === "topValues" && { distinct: { uniqueCount: { column } } }),
  };
  const known = { ...(await ask(facts)), ...(kind === "dateHistogram" && (await span())) };
  const [least, most] = [known.min, known.max];
  let bucket: object = { topValues: { column, size: 20 } };
  let width = 1;
  let by = "";
  if (kind === "numericHistogram") {
    width = roundInterval(Number(least), Number(most));
    bucket = { numericHistogram: { column, interval: width } };
  } else if (kind === "dateHistogram") {
    width = Date.parse(String(most)) - Date.parse(String(least));
    by = unit || calendarOf(width);
    bucket = { dateHistogram: { column, calendarInterval: by } };
  }
  const { values } = await ask({ values: bucket });
  const buckets = (values as { values: Bucket[] } | undefined)?.values ?? [];
  const request = { ...(filter && { filter }), aggs: { ...facts, values: bucket } };
  return { column, request, values: buckets, width, unit: by, facts: Object.entries(known) };
}

function Result({ leaf, data }: { leaf: Leaf; data: ChartData }): VNode {
  const kind = bucketsOf(leaf);
  const { values, width, facts, request } = data;
  const [, database = "", branch = "", table = ""] = place.value.address;
  const isTime = kind === "dateHistogram";
  const x = useMemo(
    () => values.map(({ $key }) => (isTime ? Date.parse(String($key)) : Number($key))),
    [values],
  );
  const y = useMemo(() => values.map(({ $count }) => $count), [values]);
  const path = `${tablePath(database, branch, table)}/aggregate`;
  const call = sampleCall("aggregateTable", path, request);
  return (
    <>
      <dl class="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{typeof value === "number" ? showNumber(value) : showValue(value) || "none"}</dd>
          </div>
        ))}
      </dl>
      {values.length === 0 ? (
        <p class="faint">No record has a value in this column.</p>
      ) : kind === "topValues" ? (
        <TopValues leaf={leaf} values={values} />
      ) : (
        <Chart
          label={`Number of records by ${leaf.path}`}
          x={x}
          y={y}
          isTime={isTime}
          width={width}
        />
      )}
      <details>
        <summary>As a table and as code</summary>
        <div class="split">
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys */}
          <div class="list" role="region" aria-label="Buckets" tabIndex={0}>
            <table>
              <thead>
                <tr>
                  <th scope="col">{leaf.path}</th>
                  <th scope="col" class="number">
                    Records
                  </th>
                </tr>
              </thead>
              <tbody>
                {values.map(({ $key, $count }) => (
                  <tr key={String($key)}>
                    <th scope="row">
                      <bdi>{cutText(showValue($key))}</bdi>
                    </th>
                    <td class="number">{showNumber($count)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          <Json label="Request" value={request} />
        </div>
        <Samples call={call} />
      </details>
    </>
  );
}

/** The most frequent values, each linked to its records. */
function TopValues({ leaf, values }: { leaf: Leaf; values: readonly Bucket[] }): VNode {
  const most = Math.max(...values.map(({ $count }) => $count));
  const { address } = place.value;
  return (
    <ol class="bars">
      {values.map(({ $key, $count }) => {
        const params = { filter: JSON.stringify(Object.fromEntries([[leaf.path, $key]])) };
        return (
          <li key={String($key)}>
            <a href={hrefTo("records", address, params)} class="name">
              <Shown text={cutText(showValue($key), 80)} />
            </a>
            <span class="bar" style={{ "--share": String($count / most) }} />
            <span class="number">{showNumber($count)}</span>
          </li>
        );
      })}
    </ol>
  );
}
