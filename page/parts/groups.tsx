import type { VNode } from "preact";
import { service, tablePath } from "../state/api.js";
import { metadataAt, profile, type TableSchema } from "../state/catalog.js";
import { type Leaf, linkedId, valueAt } from "../state/columns.js";
import { useLoad } from "../state/load.js";
import { place, setParams } from "../state/place.js";
import { sampleCall } from "../state/sample-call.js";
import { cutText, showNumber, showValue } from "../state/text.js";
import { Samples } from "./code.jsx";
import { Choice, Fault } from "./field.jsx";
import { isNumeric } from "./value.jsx";

const AGGREGATES = ["count", "sum", "average", "min", "max"] as const;

/** Records grouped by one or two columns, with an aggregate. */
export function Groups({
  table,
  leaves,
  filter,
  suggested,
}: {
  table: TableSchema;
  leaves: readonly Leaf[];
  filter: string;
  /** A column with few values. */
  suggested: string | undefined;
}): VNode | null {
  const { address, params } = place.value;
  const [workspace = "", database = "", branch = ""] = address;
  const groupable = leaves.filter(({ type }) => GROUPABLE.has(type) && type !== "id");
  // Summaries of the service have no metadata as operands (rule X-6).
  const { storeAggregates } = profile.value;
  const excluded = storeAggregates ? metadataAt("version") : undefined;
  const numbers = leaves.filter(({ type, path }) => isNumeric(type) && path !== excluded);
  const first =
    params.group ??
    (
      groupable.find(({ path }) => path === suggested) ??
      groupable.findLast(
        ({ isOwn, type, definition }) => isOwn && !isNumeric(type) && !definition?.unique,
      ) ??
      groupable[0]
    )?.path ??
    "";
  const second = params.within ?? "";
  const figure = params.figure ?? "count";
  const of = params.of ?? numbers[0]?.path ?? "";
  const columns = [first, second].filter((path) => path !== "");
  const request = {
    columns,
    ...(filter !== "" && { filter: JSON.parse(filter) as object }),
    summaries: { figure: { [figure]: figure === "count" ? "*" : of } },
    sort: [{ figure: "desc" }],
    page: { size: 50 },
  };
  const path = `${tablePath(database, branch, table.name)}/summarize`;
  const { value, error } = useLoad<{ summaries: Record<string, unknown>[] } | undefined>(
    async (signal) =>
      first === "" ? undefined : service(workspace, "POST", path, { body: request, signal }),
    [workspace, path, JSON.stringify(request)],
  );
  if (groupable.length === 0) return null;
  const paths = groupable.map((leaf) => leaf.path);
  const groups = value?.summaries ?? [];
  const most = Math.max(0, ...groups.map((group) => Number(group.figure)));
  const call = sampleCall("summarizeTable", path, request);
  return (
    <section class="card">
      <h2>Group by</h2>
      <div class="toolbar bottom">
        <Choice
          label="By"
          value={first}
          options={paths}
          onChange={(to) => setParams({ group: to })}
        />
        <Choice
          label="Then by"
          value={second}
          options={[["", "nothing"], ...paths.filter((other) => other !== first)]}
          onChange={(to) => setParams({ within: to })}
        />
        <Choice
          label="Aggregate"
          value={figure}
          options={numbers.length > 0 ? AGGREGATES : ["count"]}
          onChange={(to) => setParams({ figure: to })}
        />
        {figure !== "count" && (
          <Choice
            label="Of"
            value={of}
            options={numbers.map((leaf) => leaf.path)}
            onChange={(to) => setParams({ of: to })}
          />
        )}
      </div>
      <Fault error={error} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys */}
      <div class="list" role="region" aria-label="Groups of records" tabIndex={0}>
        <table class="groups">
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
              <th scope="col" class="number">
                {figure === "count" ? "records" : `${figure} of ${of}`}
              </th>
              <th scope="col">
                <span class="unseen">Share of the largest</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {groups.map((group) => {
              const names = columns.map((column) => groupValue(group, column));
              const amount = group.figure;
              return (
                <tr key={names.join("\n")}>
                  {names.map((name, index) => (
                    <td key={columns[index]}>
                      {name === "" ? <span class="null">null</span> : <bdi>{name}</bdi>}
                    </td>
                  ))}
                  <td class="number">
                    {typeof amount === "number" ? showNumber(amount) : showValue(amount)}
                  </td>
                  <td class="share">
                    {typeof amount === "number" && most > 0 && (
                      <span class="bar" style={{ "--share": String(Math.max(0, amount / most)) }} />
                    )}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      <details>
        <summary>As code</summary>
        <Samples call={call} />
      </details>
    </section>
  );
}

const GROUPABLE: ReadonlySet<string> = new Set([
  ...["bool", "int", "float", "string", "text", "email", "datetime", "link"],
]);

function groupValue(group: Readonly<Record<string, unknown>>, column: string): string {
  const value = valueAt(group, column);
  const shown = linkedId(value) ?? value;
  return cutText(showValue(shown), 80);
}
