import type { BranchAddress } from "../catalog/address.js";
import { createCatalog } from "../catalog/empty.js";
import type { CatalogState, TableKey } from "../catalog/state.js";
import type { Limits, Profile } from "../profile.js";
import type { IndexOption } from "../query/query-run.js";
import type { FileContent, ReadFile, ShowFiles } from "../schema/stored-files.js";
import type { TableVersion } from "../storage/table.js";
import type { Instant } from "../value/datetime.js";
import type { Clock, ClockSetting } from "./clock.js";
import type { Streams } from "./streams.js";

export const DEFAULT_PUBLIC_URL: string = "http://localhost";

export interface EngineSetup {
  readonly profile: Profile;
  readonly limits: Limits;
  readonly streams: Streams;
  readonly indexes: IndexOption;
  readonly clock: Clock;
  readonly files?: FileStorage | undefined;
  readonly publicUrl?: string | undefined;
}

export interface LinkSource {
  readonly streams: Streams;
  readonly publicUrl: string;
  readonly now: () => Instant;
}

export interface FileStorage {
  readonly read: ReadFile;
  /** Deduplicates contents in use (H-5). */
  readonly store: (bytes: Uint8Array) => FileContent;
  /** Returns a branch's files with their URLs. */
  readonly openBranch: (source: LinkSource, address: BranchAddress) => ShowFiles;
}

export interface EngineContents {
  readonly state: CatalogState;
  readonly tables: ReadonlyMap<TableKey, TableVersion>;
  /** Number of keys created so far. */
  readonly tableKeys: number;
  readonly nextId: number;
  readonly tablesMade: number;
}

export function createEngineContents({ profile }: Pick<EngineSetup, "profile">): EngineContents {
  const state = createCatalog(profile.base);
  return { state, tables: new Map(), tableKeys: 0, nextId: 0, tablesMade: 0 };
}

export interface Baseline {
  readonly contents: EngineContents;
  readonly clock: ClockSetting;
  readonly randomOrders: number;
}
