import { HOSTED, PROFILES, type Profile, type ProfileName } from "../profile.js";
import { partAt, readFields, readNumber, refuseValue } from "./fields.js";

/** Fields that may have any name; other texts are those of one of the profiles. */
const NAMES: ReadonlySet<string> = new Set(["metadataColumn", "mappingTarget"]);

/** Resolves a profile by name, or a base with changed fields; default `documented`. Throws `invalid_request`. */
export function resolveProfile(option: unknown = "documented"): Profile {
  const options = typeof option === "string" ? { base: option } : option;
  const names = Object.keys(PROFILES.documented) as (keyof Profile)[]; // keyed by the type's own keys
  const fields = readFields(options, names, partAt("profile"));
  const { base = "documented" } = fields;
  if (!Object.hasOwn(PROFILES, base as string)) {
    refuseValue(base, Object.keys(PROFILES).join(" or "), partAt("profile"));
  }
  const defaults = PROFILES[base as ProfileName]; // checked here
  for (const field of names) {
    const { [field]: value = defaults[field] } = fields;
    if (value === defaults[field]) continue;
    const part = partAt(`profile/${field}`);
    const bases = Object.hasOwn(HOSTED, field) ? [PROFILES.documented, PROFILES.xata] : [defaults];
    const choices = bases.map((profile) => profile[field]);
    if (bases.length > 1 && typeof defaults[field] === "number")
      readNumber(value, [field === "maxPageSize" ? 1 : 0], part);
    else if (NAMES.has(field) ? typeof value !== "string" : !choices.includes(value as never)) {
      refuseValue(value, NAMES.has(field) ? "a string" : choices.join(" or "), part);
    }
  }
  return { ...defaults, ...fields } as Profile; // checked above
}
