import { buildClient, type SchemaInference, type XataRecord } from "@xata.io/client";

export const tables = [
  { name: "teams", columns: [{ name: "name", type: "string" }] },
  {
    name: "users",
    columns: [
      { name: "email", type: "email", unique: true },
      { name: "team", type: "link", link: { table: "teams" } },
    ],
  },
] as const;

type Tables = SchemaInference<typeof tables>;
type Schema = { [table in keyof Tables]: Tables[table] & XataRecord };

const XataClient = buildClient();

/** The client of the service; tests pass their own `fetch`. */
export function connect(fetch: typeof globalThis.fetch) {
  const databaseURL = "https://acme.us-east-1.xata.sh/db/shop";
  const options = { apiKey: process.env.XATA_API_KEY ?? "any", branch: "main", databaseURL, fetch };
  return new XataClient<Schema>(options, tables);
}

export type Xata = ReturnType<typeof connect>;
