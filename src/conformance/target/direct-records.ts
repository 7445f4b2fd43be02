import { refuse } from "../../errors.js";
import type { JsonObject } from "../../index.js";
import type { AnyRecord } from "../../types.js";
import { type Call, type Outcome, openTable, selectedColumns, unsupported } from "./direct-call.js";

/** `POST …/bulk` */
export function callBulk(call: Call): Outcome {
  const columns = selectedColumns(call);
  const records = openTable(call).insert(call.body.records as JsonObject[], { columns });
  return {
    status: 200,
    body:
      call.query.columns === undefined ? { recordIDs: records.map(({ id }) => id) } : { records },
  };
}

/** `POST …/data` */
export function callInsert(call: Call): Outcome {
  return {
    status: 201,
    body: openTable(call).insert(call.body, { columns: selectedColumns(call) }),
  };
}

/** What is done to a record by its address (rule X-1). */
export function callRecord(call: Call): Outcome {
  const table = openTable(call);
  const [, , id = ""] = call.names;
  const columns = selectedColumns(call);
  const { query, body } = call;
  const ifVersion = query.ifVersion === undefined ? undefined : Number(query.ifVersion);
  const missing = (): never => refuse("record_not_found", `record ${id} not found`);
  const saved = (write: () => AnyRecord): Outcome => {
    const status = table.get(id, { columns: [] }) === null ? 201 : 200;
    return { status, body: write() };
  };
  switch (call.method) {
    case "GET":
      return {
        status: 200,
        body: table.get(id, query.columns === undefined ? {} : { columns }) ?? missing(),
      };
    case "PUT": {
      const createOnly = query.createOnly === undefined ? undefined : query.createOnly === "true";
      return saved(() => table.put(id, body, { createOnly, ifVersion, columns }));
    }
    case "PATCH":
      return { status: 200, body: table.update(id, body, { ifVersion, columns }) };
    case "POST":
      return saved(() => table.upsert(id, body, { ifVersion, columns }));
    case "DELETE": {
      const last = table.get(id, { columns });
      if (!table.delete(id)) missing();
      return query.columns === undefined ? { status: 204 } : { status: 200, body: last };
    }
    default:
      return unsupported(call);
  }
}
