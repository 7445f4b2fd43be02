import type { Random } from "../random.mjs";

/** The keys of a place. */
export type Path = readonly string[];

export const REMOVED: unique symbol;
export const JSON_JUNK: readonly unknown[];

export function nest(levels: number, wrap: (inner: unknown) => unknown, core?: unknown): unknown;
export function listPlaces(value: unknown, depth?: number): readonly Path[];
export function readPlace(value: unknown, place: Path): unknown;
export function putAt(value: unknown, place: Path, next: unknown): unknown;
export function spoil(
  value: unknown,
  random: Random,
  junk?: readonly unknown[],
  place?: Path,
): unknown;
