import { EngineContext } from "../engine/context.js";
import { requireAlike } from "../engine/snapshot.js";
import { readFields, refuseValue } from "../shape/fields.js";
import { openReplay, type ReplayedEngine, type ReplayOptions } from "./replay.js";
import { type ReadRecords, settingsOf, streamExport, writeExport } from "./write.js";

/** The text of an export, or its UTF-8, whole or in chunks. */
export type ExportSource = string | Uint8Array | Iterable<string | Uint8Array>;

/** Options of an import. */
export interface ImportOptions {
  /** The clock, as for `createEngine`; default the export's clock. */
  readonly now?: number | (() => number) | undefined;
}

/** Exports an engine as text in chunks, or as the base of the log with an id. */
export function exportContext(context: EngineContext, log?: string): IterableIterator<string> {
  return writeExport(settingsOf(context), context.share(), { log });
}

/** Exports an engine whose records are stored elsewhere. */
export function exportWith(context: EngineContext, read: ReadRecords): AsyncGenerator<string> {
  return streamExport(settingsOf(context), context.share(), read);
}

/** Reads an export without its records. Throws `invalid_request` with the line number. */
export function outlineExport(source: AsyncIterable<string | Uint8Array>): Promise<ReplayedEngine> {
  return replayFrom(source, { skipsRecords: true });
}

/** Imports an export. Throws `invalid_request` with the line number. */
export function importContext(source: ExportSource, options?: ImportOptions): EngineContext {
  return openReplayed(replay(source, readOptions(options)));
}

export async function importContextFrom(
  source: AsyncIterable<string | Uint8Array>,
  options?: ImportOptions,
): Promise<EngineContext> {
  const settings = readOptions(options);
  const kinds = [Symbol.asyncIterator, Symbol.iterator];
  if (!kinds.some((kind) => isIterable(source, kind))) refuseSource(source);
  return openReplayed(await replayFrom(source, settings));
}

export function replaceContents(context: EngineContext, source: ExportSource): void {
  context.write(() => {
    const { setup, clock, contents } = replay(source, { links: context.profile.links });
    requireAlike("import", setup.profile, context.profile);
    context.restore(contents);
    context.streams = setup.streams;
    context.files ??= setup.files;
    if (clock !== undefined) context.clock.turnTo(clock);
  });
}

/** Makes the replayed state the baseline of `reset`. */
export function openReplayed({ setup, clock, contents }: ReplayedEngine): EngineContext {
  const context = new EngineContext(setup, contents);
  if (clock === undefined) return context;
  context.clock.turnTo(clock);
  context.setBaseline();
  return context;
}

function replay(source: ExportSource, options: ReplayOptions): ReplayedEngine {
  const isWhole = typeof source === "string" || source instanceof Uint8Array;
  if (!isWhole && !isIterable(source, Symbol.iterator)) refuseSource(source);
  const { reader, end } = openReplay(options);
  for (const chunk of isWhole ? [source] : source) reader.write(chunk);
  return end();
}

async function replayFrom(
  source: AsyncIterable<string | Uint8Array>,
  options: ReplayOptions,
): Promise<ReplayedEngine> {
  const { reader, end } = openReplay(options);
  for await (const chunk of source) reader.write(chunk);
  return end();
}

function isIterable(source: unknown, kind: symbol): boolean {
  return typeof source === "object" && source !== null && kind in source;
}

function refuseSource(source: unknown): never {
  refuseValue(source, "an export: text, UTF-8, or chunks of it", { what: "import", rule: "H-5" });
}

function readOptions(options: unknown): ImportOptions {
  return readFields(options, ["now"], { what: "import", rule: "E-3" }) as ImportOptions; // checked by `createClock`
}
