import type { Profile } from "../../profile.js";
import {
  CREATED_AT_SLOT,
  ID_SLOT,
  type LeafColumn,
  type Schema,
  UPDATED_AT_SLOT,
  VERSION_SLOT,
} from "../../schema/columns.js";
import { CHUNK_MASK, CHUNK_SHIFT, type Chunk } from "../../storage/chunk.js";
import type { ListVector } from "../../storage/list-vector.js";
import {
  type BoolVector,
  type InstantVector,
  NULL_BYTE,
  type NumberVector,
  TRUE_BYTE,
} from "../../storage/number-vectors.js";
import type { CodeVector, TextVector } from "../../storage/text-vectors.js";
import type { Vector } from "../../storage/vector.js";
import type { AnyRecord, Json } from "../../types.js";
import { formatInstant } from "../../value/datetime.js";
import { cloneJson } from "../../value/json.js";
import type { ColumnChoice, ReverseChoice, Selection } from "../bound/selection.js";
import { linkedSource, type Source } from "../source.js";
import { createPrefetch, type Prefetch, type Rows } from "./prefetch.js";

/** Gives the records of a reverse link for the record with an id (rule P-11). */
export type ReverseRecords<T> = (choice: ReverseChoice) => (id: string) => T[];

/** Compiles a selection to what makes of rows their records, whatever a record is made as. */
export type CompileSelection<T> = (
  source: Source,
  selection: Selection,
  profile: Profile,
  reverse: ReverseRecords<T>,
) => (rows: Rows) => T[];

/** What goes along while a selection is compiled. */
export interface Compiling<T> {
  readonly source: Source;
  readonly profile: Profile;
  readonly reverse: ReverseRecords<T>;
}

/** A record or an object column under construction. */
type Target = Record<string, unknown>;

/** Puts one column of a row into what is being built. */
type Step = (chunk: Chunk, row: number, target: Target) => void;

/**
 * Compiles a selection to what builds records, each the caller's own (rule R-6). Keys come in the
 * order `id`, the columns as in the schema, the metadata (rule P-10); null columns are left out
 * (rule R-4).
 */
export const createProject: CompileSelection<AnyRecord> = (source, selection, profile, reverse) => {
  const { table } = source;
  const { chunks } = table;
  const { metadataColumn } = profile;
  const { prefetch, steps } = shapeOf(source, selection, profile, reverse);
  const readCreatedAt = createInstantReader();
  const readUpdatedAt = createInstantReader();
  const back = selection.reverse.map((choice) => ({
    name: choice.name,
    recordsFor: reverse(choice),
  }));
  const build = (ordinal: number): AnyRecord => {
    const chunk = chunks[ordinal >>> CHUNK_SHIFT]!;
    const row = ordinal & CHUNK_MASK;
    const record = {} as AnyRecord; // its id is set at once
    record.id = (chunk.vectors[ID_SLOT] as TextVector).texts[row]!; // as every id vector
    for (let i = 0; i < steps.length; i++) steps[i]!(chunk, row, record);
    for (const { name, recordsFor } of back) record[name] = { records: recordsFor(record.id) };
    record[metadataColumn] = {
      version: (chunk.vectors[VERSION_SLOT] as NumberVector).values[row]!, // as every version vector
      createdAt: readCreatedAt(chunk.vectors[CREATED_AT_SLOT] as InstantVector, row),
      updatedAt: readUpdatedAt(chunk.vectors[UPDATED_AT_SLOT] as InstantVector, row),
    };
    return record;
  };
  return (rows) => {
    prefetch(chunks, rows);
    const records: AnyRecord[] = [];
    for (let i = 0; i < rows.length; i++) records.push(build(rows[i]!));
    return records;
  };
};

/** How the records of a selection are built. */
interface Shape {
  readonly prefetch: Prefetch;
  readonly steps: readonly Step[];
}

const shapeOf = keepWhole<Shape, AnyRecord>((source, selection, profile, reverse) => ({
  prefetch: createPrefetch(selection.columns),
  steps: createSteps(source.table.schema.columns, selection.columns, { source, profile, reverse }),
}));

/** Compiles the columns of a selection. */
type CompileColumns<S, T> = (
  source: Source,
  selection: Selection,
  profile: Profile,
  reverse: ReverseRecords<T>,
) => S;

/**
 * Compiles the selection of all columns of a table only once: it refers to no other table, and is
 * asked for most.
 */
export function keepWhole<S, T>(compile: CompileColumns<S, T>): CompileColumns<S, T> {
  const kept = new WeakMap<Schema, Map<string, S>>();
  return (source, selection, profile, reverse) => {
    if (!selection.isWhole) return compile(source, selection, profile, reverse);
    const { schema } = source.table;
    const byProfile = kept.get(schema) ?? new Map<string, S>();
    kept.set(schema, byProfile);
    const found = byProfile.get(profile.base);
    if (found !== undefined) return found;
    const compiled = compile(source, selection, profile, reverse);
    byProfile.set(profile.base, compiled);
    return compiled;
  };
}

/** One step for each chosen column, in the order of the schema. */
function createSteps(
  columns: readonly { readonly name: string }[],
  choices: ReadonlyMap<string, ColumnChoice>,
  compiling: Compiling<AnyRecord>,
): readonly Step[] {
  return columns.flatMap(({ name }) => {
    const choice = choices.get(name);
    return choice === undefined ? [] : [createStep(choice, compiling)];
  });
}

function createStep(choice: ColumnChoice, compiling: Compiling<AnyRecord>): Step {
  switch (choice.kind) {
    case "value":
      return createValueStep(choice.column, compiling.profile);
    case "object": {
      const { name } = choice.column;
      const steps = createSteps(choice.column.columns, choice.columns, compiling);
      return (chunk, row, target) => {
        const object: Target = {};
        for (let i = 0; i < steps.length; i++) steps[i]!(chunk, row, object);
        for (const _ in object) {
          target[name] = object; // an object without values is null (T-14)
          break;
        }
      };
    }
    case "link":
      return createLinkStep(choice, compiling);
  }
}

function createLinkStep(
  { column, linked }: Extract<ColumnChoice, { kind: "link" }>,
  compiling: Compiling<AnyRecord>,
): Step {
  const { name, slot } = column;
  const { profile, reverse } = compiling;
  const from = linked && linkedSource(compiling.source, { target: linked.table });
  const project = from && linked && createProject(from, linked.selection, profile, reverse);
  return (chunk, row, target) => {
    const vector = chunk.vectors[slot] as CodeVector | undefined; // as every link vector
    const id = vector === undefined ? null : vector.get(row);
    if (id === null) return;
    const ordinal = from === undefined ? -1 : from.table.find(id);
    // P-7: of a dangling link only the id is known.
    target[name] = project === undefined || ordinal < 0 ? { id } : project([ordinal])[0];
  };
}

/**
 * One loop-free reader for each kind of column, so that each sees vectors of one kind only: a
 * single one that sees all kinds is several times slower.
 */
function createValueStep({ name, slot, type }: LeafColumn, profile: Profile): Step {
  switch (type) {
    case "int":
    case "float":
      return (chunk, row, target) => {
        const vector = chunk.vectors[slot] as NumberVector | undefined; // as every one of that type
        if (vector === undefined) return;
        const value = vector.values[row]!;
        if (!Number.isNaN(value)) target[name] = value;
      };
    case "bool":
      return (chunk, row, target) => {
        const vector = chunk.vectors[slot] as BoolVector | undefined; // as above
        const byte = vector === undefined ? NULL_BYTE : vector.bytes[row]!;
        if (byte !== NULL_BYTE) target[name] = byte === TRUE_BYTE;
      };
    case "datetime": {
      const read = createInstantReader();
      return (chunk, row, target) => {
        const vector = chunk.vectors[slot] as InstantVector | undefined; // as above
        if (vector === undefined) return;
        const text = read(vector, row);
        if (text !== null) target[name] = text;
      };
    }
    case "multiple":
      return (chunk, row, target) => {
        const vector = chunk.vectors[slot] as ListVector | undefined; // as above
        if (vector === undefined) return;
        const list = vector.get(row);
        if (list !== null) target[name] = list;
      };
    case "json":
    case "vector":
    case "file":
    case "file[]": {
      const isText = type === "json" && profile.base === "xata"; // T-11
      return (chunk, row, target) => {
        const value = chunk.vectors[slot]?.get(row) as Json | undefined; // such columns hold JSON
        if (value != null) target[name] = isText ? JSON.stringify(value) : cloneJson(value);
      };
    }
    default:
      return (chunk, row, target) => {
        const vector = chunk.vectors[slot];
        if (vector === undefined) return;
        const text = readText(vector, row);
        if (text !== null) target[name] = text;
      };
  }
}

function readText(vector: Vector, row: number): string | null {
  if (vector.kind === "text") return vector.texts[row] ?? null;
  return vector.kind === "code" ? vector.get(row) : null;
}

/** Formats instants, remembering the last: in a bulk load one time stands in every row. */
function createInstantReader(): (vector: InstantVector, row: number) => string | null {
  let lastMs = Number.NaN;
  let lastMicros = 0;
  let lastText = "";
  return (vector, row) => {
    const ms = vector.ms[row]!;
    const micros = vector.micros === undefined ? 0 : vector.micros[row]!;
    if (ms === lastMs && micros === lastMicros) return lastText;
    if (Number.isNaN(ms)) return null;
    lastMs = ms;
    lastMicros = micros;
    lastText = formatInstant(ms, micros);
    return lastText;
  };
}
