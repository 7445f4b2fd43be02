import type { Json } from "../../types.js";
import type { Connection } from "../target/connection.js";

export type Variables = ReadonlyMap<string, Json>;

export function baseVariables(connection: Connection, database: string): Map<string, Json> {
  const { profile, limits, workspace } = connection;
  const variables = new Map<string, Json>([
    ["db", database],
    ["workspace", workspace],
    ["meta", profile.metadataColumn],
    ["target", profile.mappingTarget],
    ["mappings", profile.base === "xata" ? "mapping" : "mappings"],
  ]);
  if (connection.otherApiKey !== undefined) variables.set("otherKey", connection.otherApiKey);
  const bounds = {
    maxPageSize: profile.maxPageSize,
    maxPageOffset: profile.maxPageOffset,
    bodyBytes: limits.bodyBytes,
  };
  for (const [name, bound] of Object.entries(bounds)) {
    variables.set(name, bound).set(`${name}+1`, bound + 1);
  }
  return variables;
}

const REFERENCE = /\$\{(?:(repeat|damage|after):([^:}]+):([^}]*)|([^}:]+))\}/g;

export function substitute(value: Json, variables: Variables): Json {
  if (typeof value === "string") return substituteText(value, variables);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((member: Json) => substitute(member, variables));
  const entries = Object.entries(value as { readonly [key: string]: Json });
  const [key, operands] = entries.length === 1 && entries[0] ? entries[0] : [];
  const directive = /^\$\{(repeat|merge|nest)\}$/.exec(key ?? "")?.[1];
  if (directive !== undefined && Array.isArray(operands)) {
    if (directive === "nest") return nestValue(operands, variables);
    const members = repeatValue(operands, variables);
    return directive === "repeat" ? members : Object.assign({}, ...members);
  }
  return Object.fromEntries(
    entries.map(([key, member]) => [
      String(substituteText(key, variables)),
      substitute(member, variables),
    ]),
  );
}

/** A string that consists of one variable keeps the value's type. */
function substituteText(text: string, variables: Variables): Json {
  if (!text.includes("${")) return text;
  const whole = /^\$\{([^}:]+)\}$/.exec(text)?.[1];
  if (whole !== undefined) return readVariable(whole, variables);
  return text.replace(REFERENCE, (_, form?: string, first = "", second = "", name = "") => {
    if (form === "repeat") {
      const count = /^\d+$/.test(first) ? first : readVariable(first, variables);
      return second.repeat(Number(count));
    }
    if (form === "after") return String(readVariable(second, variables)).split(first).at(-1)!;
    if (form === "damage") {
      return damageText(String(readVariable(second, variables)), Number(first));
    }
    return String(readVariable(name, variables));
  });
}

function readVariable(name: string, variables: Variables): Json {
  const value = variables.get(name);
  if (value === undefined) throw new Error(`no variable ${name} in a vector`);
  return value;
}

/** Changes one character of a text. The position wraps around; negative ones count from the end. */
export function damageText(text: string, position: number): string {
  if (text === "") return "A";
  const at = ((position % text.length) + text.length) % text.length;
  return `${text.slice(0, at)}${text[at] === "A" ? "B" : "A"}${text.slice(at + 1)}`;
}

/** Repeats a value with the index as `${i}`, from 0. */
function repeatValue([count, value]: readonly Json[], variables: Variables): Json[] {
  const numbered = new Map(variables);
  return Array.from({ length: Number(count) }, (_, i) =>
    substitute(value ?? null, numbered.set("i", i)),
  );
}

function nestValue([depth, key, value]: readonly Json[], variables: Variables): Json {
  let nested = substitute(value ?? null, variables);
  for (let i = 0; i < Number(depth); i++) nested = { [String(key)]: nested };
  return nested;
}
