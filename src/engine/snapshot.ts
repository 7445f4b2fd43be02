import { describe, ROOT, refuse } from "../errors.js";
import type { Profile } from "../profile.js";
import { danglingLinks, refuseLink } from "./link-checks.js";
import type { EngineContents } from "./setup.js";

/** The contents of an engine at a point in time; opaque and immutable. */
export class Snapshot {
  readonly #contents: EngineContents;
  readonly #profile: Profile;

  constructor(contents: EngineContents, profile: Profile) {
    this.#contents = contents;
    this.#profile = profile;
  }

  /**
   * Returns contents that a profile permits; throws `invalid_request` (see {@link requireAlike}),
   * `invalid_record` for a link to no record that the profile checks (T-18).
   */
  static open(snapshot: unknown, profile: Profile): EngineContents {
    const { contents, profile: given } = Snapshot.read(snapshot, "restore");
    requireAlike("restore", given, profile);
    if (given.links !== profile.links) requireLinks(contents, profile);
    return contents;
  }

  static read(snapshot: unknown, call: string): { contents: EngineContents; profile: Profile } {
    if (typeof snapshot !== "object" || snapshot === null || !(#contents in snapshot)) {
      refuse("invalid_request", `${call}: expected a snapshot, found ${describe(snapshot)}`);
    }
    return { contents: snapshot.#contents, profile: snapshot.#profile };
  }
}

/** Requires equal settings of a profile, by default those that give schemas their meaning. */
export function requireAlike(
  call: string,
  source: Profile,
  own: Profile,
  settings: readonly (keyof Profile)[] = ["base", "metadataColumn"],
): void {
  if (settings.every((name) => source[name] === own[name])) return;
  const show = (of: Profile): string => settings.map((name) => `${name} ${of[name]}`).join(", ");
  refuse("invalid_request", `${call}: expected a profile with ${show(own)}, found ${show(source)}`);
}

/** Requires that links name records if a profile checks them (rule T-18). */
function requireLinks(contents: EngineContents, { links }: Profile): void {
  if (links === "free") return;
  for (const link of danglingLinks(contents)) refuseLink({ ...link, at: ROOT });
}
