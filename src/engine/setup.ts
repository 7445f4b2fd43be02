import type { BranchAddress } from "../catalog/address.js";
import { createCatalog } from "../catalog/empty.js";
import type { CatalogState, TableKey } from "../catalog/state.js";
import type { Limits, Profile } from "../profile.js";
import type { FileContent, ReadFile, ShowFiles } from "../schema/files.js";
import type { TableVersion } from "../storage/table.js";
import type { Instant } from "../value/datetime.js";
import type { Clock, ClockSetting } from "./clock.js";
import type { LinkKeys } from "./streams.js";

/** When tables keep secondary indexes. */
export type IndexOption = "auto" | "always" | "never";

/** What addresses of files begin with where nothing else is said (rule H-4). */
export const DEFAULT_PUBLIC_URL: string = "http://localhost";

/** What an engine is made with and never changes. */
export interface EngineSetup {
  readonly profile: Profile;
  readonly limits: Limits;
  readonly seed: number;
  /** What secrets come from; undefined where the seed was given, and they come from that. */
  readonly secret?: string | undefined;
  readonly indexes: IndexOption;
  /** The clock that an engine's own is made after. */
  readonly clock: Clock;
  /** Absent while files are not enabled. */
  readonly files?: FileStorage | undefined;
  /** What addresses of files begin with (rule H-4). */
  readonly publicUrl?: string | undefined;
}

/** What addresses of files are made of, as it is when they are made. */
export interface LinkSource {
  readonly streams: { readonly linkKeys: LinkKeys };
  readonly publicUrl: string;
  readonly now: () => Instant;
}

/** Stores the contents of files (section H). */
export interface FileStorage {
  readonly read: ReadFile;
  /** Returns the content of bytes: the same object while something still holds it (H-5). */
  readonly store: (bytes: Uint8Array) => FileContent;
  /** What shows the files of a branch, with their addresses. */
  readonly openBranch: (source: LinkSource, address: BranchAddress) => ShowFiles;
}

/** What of an engine a snapshot holds. */
export interface EngineContents {
  readonly state: CatalogState;
  /** The tables that the state has keys of. */
  readonly tables: ReadonlyMap<TableKey, TableVersion>;
  /** Keys given so far; the next is one more. */
  readonly tableKeys: number;
  readonly nextId: number;
  readonly tablesMade: number;
}

/** The contents of a new engine. */
export function createContents({ profile }: Pick<EngineSetup, "profile">): EngineContents {
  const state = createCatalog(profile.base);
  return { state, tables: new Map(), tableKeys: 0, nextId: 0, tablesMade: 0 };
}

/** What an engine goes back to when it is reset. */
export interface Baseline {
  readonly contents: EngineContents;
  readonly clock: ClockSetting;
  readonly randomOrders: number;
}
