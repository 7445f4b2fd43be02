import type { Profile } from "../profile.js";

export const METADATA_KEYS: readonly string[] = ["version", "createdAt", "updatedAt"];

export type RecordNames = readonly [id: string, ...metadata: string[]];

const FLAT_NAMES: RecordNames = ["xata_id", "xata_version", "xata_createdat", "xata_updatedat"];

/** The names of id and metadata in a record: of an object, or of three columns (N-3, R-1). */
export function recordNames(profile: Profile): RecordNames {
  return isFlat(profile) ? FLAT_NAMES : ["id", profile.metadataColumn];
}

/** Whether the metadata are columns such as `xata_createdat`, not an object. */
export function isFlat({ idColumn }: Profile): boolean {
  return idColumn !== "id";
}

/** The path of a record's metadata: `xata.createdAt`, or `xata_createdat`. */
export function metadataPath(profile: Profile, key: string): string {
  return isFlat(profile) ? `xata_${key.toLowerCase()}` : `${profile.metadataColumn}.${key}`;
}

/** Adds metadata to a record, as members of an object or columns. */
export function addMetadata(
  record: Record<string, unknown>,
  profile: Profile,
  metadata: object,
): void {
  const { metadataColumn: name } = profile;
  if (!isFlat(profile)) record[name] = { ...(record[name] as object | undefined), ...metadata };
  else
    for (const [key, value] of Object.entries(metadata)) record[metadataPath(profile, key)] = value;
}
