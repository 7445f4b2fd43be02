import type { Profile } from "../../profile.js";
import {
  CREATED_AT_SLOT,
  ID_SLOT,
  type LeafColumn,
  UPDATED_AT_SLOT,
  VERSION_SLOT,
} from "../../schema/columns.js";
import { CHUNK_MASK, CHUNK_SHIFT, type Chunk } from "../../storage/chunk.js";
import { NULL_CODE } from "../../storage/dictionary.js";
import { type ListVector, NULL_LENGTH } from "../../storage/list-vector.js";
import {
  type BoolVector,
  type InstantVector,
  NULL_BYTE,
  type NumberVector,
  TRUE_BYTE,
} from "../../storage/number-vectors.js";
import type { CodeVector, TextVector } from "../../storage/text-vectors.js";
import { formatInstant } from "../../value/datetime.js";
import type { ColumnChoice, Selection } from "../bound/selection.js";
import { linkedSource, type Source } from "../source.js";
import { createCodeTexts } from "./code-texts.js";
import { createPrefetch, type Prefetch } from "./prefetch.js";
import {
  type CompileSelection,
  type Compiling,
  keepWhole,
  type ReverseRecords,
} from "./project.js";
import { RecentTexts } from "./recent-texts.js";

/** Writes the member of one column; nothing where it is null (rule R-4). */
type Step = (chunk: Chunk, row: number) => string;

/**
 * Compiles a selection to what writes records as JSON: the very text that `JSON.stringify` gives of
 * those of `createProject`, without making them.
 */
export const createJsonWriter: CompileSelection<string> = (...selected) => {
  const [{ table }] = selected;
  const { chunks } = table;
  const { prefetch, write } = compileWriter(...selected);
  return (rows) => {
    prefetch(chunks, rows);
    return Array.from(rows, write);
  };
};

/** What writes one record, and what is to be done ahead of many. */
interface Writer {
  readonly prefetch: Prefetch;
  readonly write: (ordinal: number) => string;
}

function compileWriter(
  source: Source,
  selection: Selection,
  profile: Profile,
  reverse: ReverseRecords<string>,
): Writer {
  const { chunks } = source.table;
  const { prefetch, steps, writeMetadata, recent } = shapeOf(source, selection, profile, reverse);
  const back = selection.reverse.map((choice) => ({
    key: keyOf(choice.name, ","),
    recordsFor: reverse(choice),
  }));
  const write = (ordinal: number): string => {
    const chunk = chunks[ordinal >>> CHUNK_SHIFT]!;
    const row = ordinal & CHUNK_MASK;
    const id = (chunk.vectors[ID_SLOT] as TextVector).texts[row]!; // as every id vector
    let text = `{"id":"${escapeText(id)}"`;
    for (let i = 0; i < steps.length; i++) text += steps[i]!(chunk, row);
    for (const { key, recordsFor } of back) text += `${key}{"records":[${recordsFor(id).join()}]}`;
    return text + writeMetadata(chunk, row);
  };
  if (!selection.isWhole) return { prefetch, write };
  return {
    prefetch,
    write: (ordinal) => recent.get(chunks[ordinal >>> CHUNK_SHIFT]!, ordinal, write),
  };
}

/** How the records of a selection are written. */
interface Shape {
  readonly prefetch: Prefetch;
  readonly steps: readonly Step[];
  readonly writeMetadata: Step;
  /** Of the selection of all columns, which alone is kept. */
  readonly recent: RecentTexts;
}

// Marked so that bundles which write no JSON can leave it out.
const shapeOf = /* @__PURE__ */ keepWhole<Shape, string>(
  (source, { columns }, profile, reverse) => ({
    prefetch: createPrefetch(columns),
    steps: createSteps(source.table.schema.columns, columns, ",", { source, profile, reverse }),
    writeMetadata: createMetadataWriter(profile.metadataColumn),
    recent: new RecentTexts(),
  }),
);

/** One step for each chosen column, in the order of the schema; `lead` stands ahead of a member. */
function createSteps(
  columns: readonly { readonly name: string }[],
  choices: ReadonlyMap<string, ColumnChoice>,
  lead: "," | "",
  compiling: Compiling<string>,
): readonly Step[] {
  return columns.flatMap(({ name }) => {
    const choice = choices.get(name);
    return choice === undefined ? [] : [createStep(choice, lead, compiling)];
  });
}

function createStep(choice: ColumnChoice, lead: "," | "", compiling: Compiling<string>): Step {
  const key = keyOf(choice.column.name, lead);
  switch (choice.kind) {
    case "value":
      return createValueStep(choice.column, key, compiling.profile);
    case "object": {
      const { column, columns } = choice;
      const first = createSteps(column.columns, columns, "", compiling);
      const next = createSteps(column.columns, columns, ",", compiling);
      const opened = `${key}{`;
      return (chunk, row) => {
        let members = "";
        for (let i = 0; i < next.length; i++) {
          members += (members === "" ? first : next)[i]!(chunk, row);
        }
        return members === "" ? "" : `${opened}${members}}`; // T-14
      };
    }
    case "link":
      return createLinkStep(choice, key, compiling);
  }
}

function createLinkStep(
  { column, linked }: Extract<ColumnChoice, { kind: "link" }>,
  key: string,
  compiling: Compiling<string>,
): Step {
  const { slot } = column;
  const ofId = createCodeTexts((id) => `${key}{"id":"${escapeText(id)}"}`);
  const { profile, reverse } = compiling;
  const target = linked && linkedSource(compiling.source, { target: linked.table });
  const writer = target && linked && compileWriter(target, linked.selection, profile, reverse);
  return (chunk, row) => {
    const vector = chunk.vectors[slot] as CodeVector | undefined; // as every link vector
    const id = vector === undefined ? null : vector.get(row);
    if (vector === undefined || id === null) return "";
    const ordinal = target === undefined ? -1 : target.table.find(id);
    // P-7: of a dangling link only the id is known.
    return writer === undefined || ordinal < 0
      ? ofId(vector.dictionary, vector.codes[row]!)
      : key + writer.write(ordinal);
  };
}

/** One writer for each kind of column, as `createProject` has them. */
function createValueStep({ slot, type }: LeafColumn, key: string, profile: Profile): Step {
  switch (type) {
    case "int":
    case "float":
      return (chunk, row) => {
        const vector = chunk.vectors[slot] as NumberVector | undefined; // as every one of that type
        const value = vector === undefined ? Number.NaN : vector.values[row]!;
        const int = value | 0;
        // The engine keeps the texts of small integers at hand; for those, other code is made.
        if (int === value) return key + int;
        return Number.isNaN(value) ? "" : key + value;
      };
    case "bool":
      return (chunk, row) => {
        const vector = chunk.vectors[slot] as BoolVector | undefined; // as above
        const byte = vector === undefined ? NULL_BYTE : vector.bytes[row]!;
        return byte === NULL_BYTE ? "" : key + (byte === TRUE_BYTE);
      };
    case "datetime": {
      const opened = `${key}"`;
      return (chunk, row) => {
        const vector = chunk.vectors[slot] as InstantVector | undefined; // as above
        return vector === undefined || Number.isNaN(vector.ms[row]!)
          ? ""
          : `${opened}${textOf(vector, row)}"`;
      };
    }
    case "multiple": {
      const ofItem = createCodeTexts((item) => `"${escapeText(item)}"`);
      const opened = `${key}[`;
      return (chunk, row) => {
        const vector = chunk.vectors[slot] as ListVector | undefined; // as above
        if (vector === undefined || vector.lengths[row] === NULL_LENGTH) return "";
        const start = vector.starts[row]!;
        const end = start + vector.lengths[row]!;
        let items = "";
        for (let at = start; at < end; at++) {
          if (at > start) items += ",";
          items += ofItem(vector.dictionary, vector.items[at]!);
        }
        return `${opened}${items}]`;
      };
    }
    case "json":
    case "vector":
    case "file":
    case "file[]": {
      const isText = type === "json" && profile.base === "xata"; // T-11
      return (chunk, row) => {
        const value = chunk.vectors[slot]?.get(row);
        if (value == null) return "";
        const text = JSON.stringify(value);
        return key + (isText ? JSON.stringify(text) : text);
      };
    }
    default: {
      const opened = `${key}"`;
      const ofCode = createCodeTexts((text) => `${opened}${escapeText(text)}"`);
      return (chunk, row) => {
        const vector = chunk.vectors[slot];
        if (vector === undefined) return "";
        if (vector.kind === "code") {
          const code = vector.codes[row]!;
          return code === NULL_CODE ? "" : ofCode(vector.dictionary, code);
        }
        const text = (vector as TextVector).texts[row]!; // the other kind of such columns
        return text === null ? "" : `${opened}${escapeText(text)}"`;
      };
    }
  }
}

/** Writes the metadata and what ends a record; that of a load is the same for all its records. */
function createMetadataWriter(column: string): Step {
  const key = keyOf(column, ",");
  const last = { version: Number.NaN, created: 0, createdMicros: 0, updated: 0, updatedMicros: 0 };
  let text = "";
  return ({ vectors }, row) => {
    const version = (vectors[VERSION_SLOT] as NumberVector).values[row]!; // as every such vector
    const createdAt = vectors[CREATED_AT_SLOT] as InstantVector;
    const updatedAt = vectors[UPDATED_AT_SLOT] as InstantVector;
    const created = createdAt.ms[row]!;
    const createdMicros = microsOf(createdAt, row);
    const updated = updatedAt.ms[row]!;
    const updatedMicros = microsOf(updatedAt, row);
    if (
      version !== last.version ||
      created !== last.created ||
      createdMicros !== last.createdMicros ||
      updated !== last.updated ||
      updatedMicros !== last.updatedMicros
    ) {
      last.version = version;
      last.created = created;
      last.createdMicros = createdMicros;
      last.updated = updated;
      last.updatedMicros = updatedMicros;
      const from = formatInstant(created, createdMicros);
      const to = formatInstant(updated, updatedMicros);
      text = `${key}{"version":${version},"createdAt":"${from}","updatedAt":"${to}"}}`;
    }
    return text;
  };
}

function textOf(vector: InstantVector, row: number): string {
  return formatInstant(vector.ms[row]!, microsOf(vector, row));
}

function microsOf({ micros }: InstantVector, row: number): number {
  return micros === undefined ? 0 : micros[row]!;
}

/** The key of a member. */
function keyOf(name: string, lead: "," | ""): string {
  return `${lead}${JSON.stringify(name)}:`;
}

/** The inside of a string in JSON. */
function escapeText(text: string): string {
  return ESCAPED.test(text) ? JSON.stringify(text).slice(1, -1) : text;
}

/** Among others what `JSON.stringify` writes as an escape. */
const ESCAPED = /["\\\p{Cc}\p{Cs}]/u;
