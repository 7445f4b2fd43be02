import type { Leaf } from "./columns.js";
import { parseJson } from "./pointer.js";
import { fromInput, toInput } from "./values.js";

/** The kinds of boosters. */
export type BoosterKind = "numericBooster" | "valueBooster" | "dateBooster";

/** A booster in the form: settings as text, empty if unset. */
export interface BoosterDraft {
  readonly kind: BoosterKind;
  readonly texts: Readonly<Record<string, string>>;
}

interface Setting {
  readonly label: string;
  readonly type: "string" | "float" | "json";
  readonly placeholder?: string;
  readonly options?: readonly string[];
}

const FACTOR: Setting = { label: "Factor", type: "float", placeholder: "1" };
const ONLY_WHERE: Setting = { label: "If matches", type: "json", placeholder: "a filter as JSON" };

/** Settings by kind, besides the column. */
export const SETTINGS: Readonly<Record<BoosterKind, Readonly<Record<string, Setting>>>> = {
  numericBooster: {
    factor: FACTOR,
    modifier: {
      label: "Modifier",
      type: "string",
      options: ["", "log", "log1p", "ln", "ln1p", "square", "sqrt", "reciprocal"],
    },
    ifMatchesFilter: ONLY_WHERE,
  },
  valueBooster: {
    value: { label: "Value", type: "string" },
    factor: FACTOR,
    ifMatchesFilter: ONLY_WHERE,
  },
  dateBooster: {
    scale: { label: "Scale", type: "string", placeholder: "30d" },
    decay: { label: "Decay", type: "float", placeholder: "0.5" },
    factor: FACTOR,
    origin: { label: "Origin", type: "string", placeholder: "now" },
    ifMatchesFilter: ONLY_WHERE,
  },
};

export const KIND_LABELS: Readonly<Record<BoosterKind, string>> = {
  numericBooster: "number",
  valueBooster: "value",
  dateBooster: "date",
};

const TYPES: Readonly<Record<BoosterKind, ReadonlySet<string>>> = {
  numericBooster: new Set(["int", "float"]),
  valueBooster: new Set(["bool", "int", "float", "id", "string", "text", "email"]),
  dateBooster: new Set(["datetime"]),
};

/** Columns that a kind of booster applies to. */
export function columnsFor(kind: BoosterKind, leaves: readonly Leaf[]): readonly string[] {
  return leaves.filter(({ type }) => TYPES[kind].has(type)).map(({ path }) => path);
}

/** A blank booster of the first matching column. */
export function draftBooster(kind: BoosterKind, leaves: readonly Leaf[]): BoosterDraft {
  const column = columnsFor(kind, leaves)[0] ?? "";
  const given = kind === "dateBooster" ? { scale: "30d", decay: "0.5" } : { factor: "1" };
  return { kind, texts: { column, ...given } };
}

/** Parses boosters from JSON; invalid JSON gives none. */
export function readBoosters(text: string): readonly BoosterDraft[] {
  const read = parseJson(text);
  if (!("value" in read) || !Array.isArray(read.value)) return [];
  return read.value.flatMap((booster: unknown): BoosterDraft[] => {
    const [[kind = "", settings] = []] = Object.entries((booster ?? {}) as object);
    if (!isKind(kind)) return [];
    const texts = Object.entries((settings ?? {}) as object).map(([name, value]) => {
      const isText = typeof value === "string" && name !== "ifMatchesFilter";
      return [name, isText ? value : toInput("json", value)];
    });
    return [{ kind, texts: Object.fromEntries(texts) as Record<string, string> }];
  });
}

function isKind(kind: string): kind is BoosterKind {
  return Object.hasOwn(SETTINGS, kind);
}

/** Converts drafts to boosters of a request. */
export function buildBoosters(
  drafts: readonly BoosterDraft[],
  leaves: readonly Leaf[],
): readonly object[] {
  return drafts.map(({ kind, texts }) => {
    const { column = "" } = texts;
    const valueType = leaves.find(({ path }) => path === column)?.type ?? "string";
    const given = Object.entries(SETTINGS[kind]).flatMap(([name, { type }]) => {
      const text = texts[name] ?? "";
      const read = fromInput(name === "value" ? valueType : type, text);
      return text === "" ? [] : [[name, read] as const];
    });
    return { [kind]: { column, ...Object.fromEntries(given) } };
  });
}
