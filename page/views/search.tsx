import type { VNode } from "preact";
import { Json, Samples } from "../parts/code.jsx";
import { Choice, Fault } from "../parts/field.jsx";
import { type Found, FoundList } from "../parts/found.jsx";
import { VectorForm } from "../parts/vector-form.jsx";
import { WordsForm } from "../parts/words-form.jsx";
import { ServiceError, service } from "../state/api.js";
import type { TableSchema } from "../state/catalog.js";
import { useLoad } from "../state/load.js";
import { place, setParams } from "../state/place.js";
import { sampleCall } from "../state/sample-call.js";
import { type SearchCall, vectorCall, wordsCall } from "../state/search.js";

/** Full-text search in one or all tables of a branch, or vector similarity search. */
export function SearchView({ tables }: { tables: readonly TableSchema[] }): VNode {
  const { address, params } = place.value;
  const [workspace = "", database = "", branch = ""] = address;
  const isVector = params.by === "vector";
  const call = (isVector ? vectorCall : wordsCall)(database, branch, params);
  const { value, error } = useLoad<Found | undefined>(
    async (signal) => call && service(workspace, "POST", call.path, { body: call.request, signal }),
    [workspace, JSON.stringify(call)],
  );
  const fault = error instanceof ServiceError ? error : undefined;
  const isToldBelow = !isVector && /^\/boosters\/\d/.test(fault?.path ?? "");
  const by = (
    <Choice
      label="Mode"
      value={isVector ? "vector" : "words"}
      options={[
        ["words", "full text"],
        ["vector", "vector"],
      ]}
      onChange={(to) => setParams({ by: to === "vector" ? to : "" })}
    />
  );
  return (
    <div>
      {isVector ? (
        <VectorForm tables={tables} by={by} error={fault} />
      ) : (
        <WordsForm tables={tables} by={by} error={fault} />
      )}
      {!isToldBelow && <Fault error={error} />}
      {value !== undefined && <FoundList found={value} tables={tables} />}
      {call !== undefined && <AsCode call={call} />}
    </div>
  );
}

/** The search as JSON and as code. */
function AsCode({ call }: { call: SearchCall }): VNode {
  const { path, operation, table, request } = call;
  return (
    <details>
      <summary>As JSON and as code</summary>
      <Json label="Request" value={request} />
      <Samples call={{ ...sampleCall(operation, path, request), table }} />
    </details>
  );
}
