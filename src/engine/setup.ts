import type { CatalogState } from "../catalog/state.js";
import type { Limits, Profile } from "../profile.js";
import type { Clock, ClockSetting } from "./clock.js";

/** When tables keep secondary indexes. */
export type IndexOption = "auto" | "always" | "never";

/** What an engine is made with and never changes. */
export interface EngineSetup {
  readonly profile: Profile;
  readonly limits: Limits;
  readonly seed: number;
  readonly indexes: IndexOption;
  /** The clock that an engine's own is made after. */
  readonly clock: Clock;
}

/** What of an engine a snapshot holds. */
export interface EngineContents {
  readonly state: CatalogState;
  readonly nextId: number;
  readonly tablesMade: number;
}

/** What an engine goes back to when it is reset. */
export interface Baseline {
  readonly contents: EngineContents;
  readonly clock: ClockSetting;
  readonly randomOrders: number;
}
