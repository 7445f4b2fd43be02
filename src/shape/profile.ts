import { PROFILES, type Profile, type ProfileName, settingsOfProfile } from "../profile.js";
import { partAt, readFields, readNumber, refuseValue } from "./fields.js";

const FIELDS = Object.keys(PROFILES.documented) as (keyof Profile)[]; // keyed by the type's own keys
/** Fields that may have any name; other texts are those of one of the profiles. */
const NAMES: ReadonlySet<string> = new Set(["metadataColumn", "mappingTarget"]);

/** Resolves a profile by name, or a base with changed fields; default `documented`. Throws `invalid_request`. */
export function resolveProfile(option: unknown = "documented"): Profile {
  const given = typeof option === "string" ? { base: option } : option;
  const fields = readFields(given, FIELDS, partAt("profile"));
  const { base = "documented" } = fields;
  if (!Object.hasOwn(PROFILES, base as string)) {
    refuseValue(base, "documented or xata", partAt("profile"));
  }
  const own = PROFILES[base as ProfileName]; // checked here
  const settings = settingsOfProfile(own);
  for (const field of FIELDS) {
    const { [field]: value = own[field] } = fields;
    const part = partAt(`profile/${field}`);
    const isSetting = Object.hasOwn(settings, field);
    const bases = isSetting ? Object.values(PROFILES) : [own];
    const choices = bases.map((profile) => profile[field]);
    if (isSetting && typeof own[field] === "number")
      readNumber(value, [field === "maxPageSize" ? 1 : 0], part);
    else if (NAMES.has(field) ? typeof value !== "string" : !choices.includes(value as never)) {
      refuseValue(value, NAMES.has(field) ? "a string" : choices.join(" or "), part);
    }
  }
  return { ...own, ...fields } as Profile; // checked above
}
