import { describe, refuse } from "../errors.js";
import type { Profile } from "../profile.js";
import type { EngineContents } from "./setup.js";

/** Everything an engine held at one moment. Opaque; it never changes. */
export class Snapshot {
  readonly #contents: EngineContents;
  readonly #profile: Profile;

  constructor(contents: EngineContents, profile: Profile) {
    this.#contents = contents;
    this.#profile = profile;
  }

  /**
   * What a snapshot holds, for an engine of that profile.
   *
   * @throws TwinbaseError `invalid_request` for what is no snapshot, and for one of an engine whose
   * profile has another base or metadata column: its schemas would mean something else there.
   */
  static open(snapshot: unknown, profile: Profile, call = "restore"): EngineContents {
    const { contents, profile: given } = Snapshot.read(snapshot, call);
    requireAlike(call, given, profile);
    return contents;
  }

  /** What a snapshot holds, and the profile it was taken under. */
  static read(snapshot: unknown, call: string): { contents: EngineContents; profile: Profile } {
    if (typeof snapshot !== "object" || snapshot === null || !(#contents in snapshot)) {
      refuse("invalid_request", `${call}: expected a snapshot, found ${describe(snapshot)}`);
    }
    return { contents: snapshot.#contents, profile: snapshot.#profile };
  }
}

/**
 * Refuses contents of an engine whose profile has another base or metadata column: its schemas
 * would mean something else in this one.
 */
export function requireAlike(call: string, given: Profile, own: Profile): void {
  if (given.base === own.base && given.metadataColumn === own.metadataColumn) return;
  refuse(
    "invalid_request",
    `${call}: it is of the profile ${given.base} (${given.metadataColumn}), this engine of ${own.base} (${own.metadataColumn})`,
  );
}
