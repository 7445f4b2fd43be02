import { readFields, refuseValue } from "../value/fields.js";
import { EngineContext } from "./context.js";
import type { Header } from "./export/layout.js";
import { ExportReader, type ReadExport } from "./export/read.js";
import { type RecordSource, streamExport } from "./export/stream.js";
import { writeExport } from "./export/write.js";
import type { EngineContents, EngineSetup } from "./setup.js";
import { requireAlike } from "./snapshot.js";
import { Streams } from "./streams.js";

/** The text of an export, or its UTF-8, whole or in chunks. */
export type ExportSource = string | Uint8Array | Iterable<string | Uint8Array>;

/** How an engine is made of an export. */
export interface ImportOptions {
  /** The time, as `createEngine` takes it; default that of the export, which may be fixed or run. */
  readonly now?: number | (() => number) | undefined;
}

/** What an engine holds now, as text in chunks. */
export function exportContext(context: EngineContext): IterableIterator<string> {
  const { header, contents } = describeContext(context);
  return writeExport(header, contents);
}

/** What an engine without records holds, as text in chunks, with records from elsewhere. */
export function exportWith(context: EngineContext, source: RecordSource): AsyncGenerator<string> {
  const { header, contents } = describeContext(context);
  return streamExport(header, contents, source);
}

function describeContext(context: EngineContext): {
  header: Header;
  contents: EngineContents;
} {
  const { profile, limits, indexes, clock } = context;
  const { seed, secret } = context.streams;
  const contents = context.share();
  const { state, nextId, tablesMade } = contents;
  const { usersMade, secretsMade } = state;
  const deletedKeys = [...state.deletedKeys];
  const counters = { nextId, tablesMade, usersMade, secretsMade, deletedKeys };
  return {
    header: { profile, limits, indexes, seed, secret, clock: clock.setting, ...counters },
    contents,
  };
}

/** How the engine of an export was made: its first line is read, and no more. */
export async function readExportSetup(
  source: AsyncIterable<string | Uint8Array>,
): Promise<EngineSetup> {
  const reader = new ExportReader(undefined, undefined, true);
  for await (const chunk of source) {
    reader.write(chunk);
    if (reader.setup !== undefined) return reader.setup;
  }
  return reader.end().setup;
}

/** What an export holds but for its records; throws `invalid_request` with the line that is damaged. */
export async function outlineExport(
  source: AsyncIterable<string | Uint8Array>,
): Promise<ReadExport> {
  const reader = new ExportReader(undefined, undefined, true);
  for await (const chunk of source) reader.write(chunk);
  return reader.end();
}

/** An engine of what an export holds; throws `invalid_request` with the line that is damaged. */
export function importContext(source: ExportSource, options?: ImportOptions): EngineContext {
  return open(readExport(source, new ExportReader(readOptions(options).now)));
}

export async function importContextFrom(
  source: AsyncIterable<string | Uint8Array>,
  options?: ImportOptions,
): Promise<EngineContext> {
  const reader = new ExportReader(readOptions(options).now);
  const kinds = [Symbol.asyncIterator, Symbol.iterator];
  if (!kinds.some((kind) => isIterable(source, kind))) refuseSource(source);
  for await (const chunk of source) reader.write(chunk);
  return open(reader.end());
}

/** Puts what an export holds in place of what an engine does. */
export function replaceContents(context: EngineContext, source: ExportSource): void {
  context.write(() => {
    const { setup, clock, contents } = readExport(source, new ExportReader());
    requireAlike("import", setup.profile, context.profile);
    context.restore(contents);
    context.streams = new Streams(setup.seed, setup.secret);
    context.files ??= setup.files;
    if (clock !== undefined) context.clock.turnTo(clock);
  });
}

function readExport(source: ExportSource, reader: ExportReader): ReadExport {
  const isWhole = typeof source === "string" || source instanceof Uint8Array;
  if (!isWhole && !isIterable(source, Symbol.iterator)) refuseSource(source);
  for (const chunk of isWhole ? [source] : source) reader.write(chunk);
  return reader.end();
}

function isIterable(source: unknown, kind: symbol): boolean {
  return typeof source === "object" && source !== null && kind in source;
}

function refuseSource(source: unknown): never {
  refuseValue(source, "an export: text, UTF-8, or chunks of it", { what: "import", rule: "H-5" });
}

function open({ setup, clock, contents }: ReadExport): EngineContext {
  const context = new EngineContext(setup, contents);
  if (clock === undefined) return context;
  context.clock.turnTo(clock);
  context.setBaseline();
  return context;
}

function readOptions(options: unknown): ImportOptions {
  return readFields(options, ["now"], { what: "import", rule: "E-3" }) as ImportOptions; // checked as the clock is made
}
