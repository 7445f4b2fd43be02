import { buildClient, SimpleCache } from "@xata.io/client";
import { buildClient as buildClient26, SimpleCache as SimpleCache26 } from "xata-client-0-26";

export const tables = [{ name: "users", columns: [{ name: "name", type: "string" }] }] as const;

interface ClientOptions {
  readonly databaseURL: string;
  readonly branch: string;
  readonly apiKey: string;
}

/** The calls that these tests need; the clients' own types differ. */
interface Client {
  readonly db: {
    readonly users: {
      create(record: { name: string }): Promise<{ id: string }>;
      delete(id: string): Promise<unknown>;
      getAll(): Promise<readonly { id: string; name?: string | null }[]>;
      filter(filter: object): { getMany(): Promise<readonly { id: string }[]> };
    };
  };
}

export type Build = (options: ClientOptions) => Client;

interface Exports {
  readonly SimpleCache: { readonly prototype: { get(key: string): Promise<unknown> } };
}

export const CLIENTS: readonly (readonly [name: string, build: Build, exports: Exports])[] = [
  [
    "npm client 0.30",
    (options) => new (buildClient())(options, tables) as unknown as Client,
    { SimpleCache },
  ],
  [
    "npm client 0.26",
    (options) => new (buildClient26())(options, tables) as unknown as Client,
    { SimpleCache: SimpleCache26 },
  ],
];

/** Creates a client without the options of a double. */
export function create(build: Build, { databaseURL }: { readonly databaseURL: string }): Client {
  return build({ databaseURL, branch: "main", apiKey: "any" });
}
