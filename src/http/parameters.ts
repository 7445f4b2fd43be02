import type { Profile } from "../profile.js";
import { readBySchema } from "../shape/read.js";
import type { JsonSchema, Schema } from "../shape/schema.js";

/** Reads a query string by the shape of its parameters (rule E-3). */
export function readParameters<T>(shape: Schema<T>, search: string, profile: Profile): T {
  const { properties = {}, required }: JsonSchema = shape;
  if (search === "" && required === undefined) return {} as T; // no member is required
  const parameters = new URLSearchParams(search);
  const entries = Array.from(new Set(parameters.keys()), (name) => {
    const type = Object.hasOwn(properties, name) ? properties[name]!.type : undefined;
    return [name, convertTexts(type, parameters.getAll(name), profile)];
  });
  return readBySchema(shape, Object.fromEntries(entries));
}

const FLAGS: Readonly<Record<string, boolean>> = { "": true, true: true, false: false };

/** Converts texts that fit the type. A list may be separated by commas; a flag is true if empty (rule X-1). */
function convertTexts(
  type: JsonSchema["type"],
  texts: readonly string[],
  profile: Profile,
): unknown {
  if (type === "array") return texts.flatMap((text) => (text === "" ? [] : text.split(",")));
  const [text = "", ...others] = texts;
  if (others.length > 0) return texts;
  if (type === "integer") return /^\d{1,16}$/.test(text) ? Number(text) : text;
  if (type !== "boolean") return text;
  // Some clients send `True` and `False`.
  const isCapital = profile.lenient && /^(?:True|False)$/.test(text);
  const flag = isCapital ? text.toLowerCase() : text;
  return Object.hasOwn(FLAGS, flag) ? FLAGS[flag] : text;
}
