import { createLongSearch, type FindIn } from "./find-text.js";
import { ANY, createShiftAnd, type FindEnd } from "./shift-and.js";
import { countCodePoints } from "./text.js";

/** A compiled `$pattern` (rule F-11), made by {@link compilePattern}. */
export interface Pattern {
  /** What is between the `*`: the first run is bound to the text's start, the last to its end. */
  readonly runs: readonly Run[];
  /** The code units that a matching text has at least. */
  readonly minLength: number;
  /** False for a pattern with a lone surrogate, which no stored text holds (rule T-4). */
  readonly wellFormed: boolean;
}

/** A piece of a pattern without `*`. */
interface Run {
  /** How many `?` it starts with. */
  readonly skip: number;
  /** The plain text from there to the next `?`; empty only where nothing follows. */
  readonly literal: string;
  /** The code units after the literal, {@link ANY} for a `?`. */
  readonly rest: readonly number[];
  /** How many code points it matches. */
  readonly codePoints: number;
  /** For a long literal. */
  readonly findLiteral: FindIn | undefined;
  /** Made once trying place after place has cost too much. */
  findAll: FindEnd | undefined;
}

/** Units compared in vain, for each unit of the text and of the run, before `findAll` is used. */
const VAIN_UNITS = 8;

/** Compiles a pattern; undefined for one that ends in a lone `\` (rule F-11). */
export function compilePattern(pattern: string): Pattern | undefined {
  const runs: Run[] = [];
  let minLength = 0;
  let skip = 0;
  let literal = "";
  let rest: number[] = [];
  const endRun = (): void => {
    minLength += skip + literal.length + rest.length;
    const codePoints = skip + countCodePoints(literal) + rest.filter(startsCodePoint).length;
    const findLiteral = createLongSearch(literal);
    runs.push({ skip, literal, rest, codePoints, findLiteral, findAll: undefined });
    skip = 0;
    literal = "";
    rest = [];
  };
  for (let i = 0; i < pattern.length; i++) {
    const char = pattern[i]!;
    if (char === "*") {
      // One after the other they mean no more than one, with `?` between them or not.
      const isRepeated = runs.length > 0 && literal === "";
      if (!isRepeated) endRun();
    } else if (char === "?") {
      if (literal === "") skip++;
      else rest.push(ANY);
    } else {
      if (char === "\\") i++;
      if (i === pattern.length) return undefined;
      if (rest.length > 0) rest.push(pattern.charCodeAt(i));
      else literal += pattern[i]!;
    }
  }
  endRun();
  return { runs, minLength, wellFormed: pattern.isWellFormed() };
}

/**
 * Whether the pattern matches the whole text, in time of at most pattern × text (rule F-11). The
 * text has no lone surrogate.
 */
export function matchPattern(pattern: Pattern, text: string): boolean {
  const { runs } = pattern;
  // What follows walks the pattern, also beyond the text's end: a long one over many short texts.
  if (text.length < pattern.minLength || !pattern.wellFormed) return false;
  let at = matchRun(runs[0]!, text, 0);
  const last = runs.length - 1;
  if (last === 0) return at === text.length;
  // Each run where it first fits leaves the most text to those after it.
  for (let i = 1; i < last && at >= 0; i++) at = findRun(runs[i]!, text, at);
  if (at < 0) return false;
  const start = findTail(runs[last]!, text);
  return start >= at && matchRun(runs[last]!, text, start) === text.length;
}

/** Where the match of the run at `from` ends, beyond the text if it is too short; negative without one. */
function matchRun(run: Run, text: string, from: number): number {
  const at = skipForward(text, from, run.skip);
  return text.startsWith(run.literal, at) ? matchRest(run.rest, text, at + run.literal.length) : -1;
}

/** Where the first match of a run with a literal at or after `from` ends, as {@link matchRun}. */
function findRun(run: Run, text: string, from: number): number {
  const { literal, rest, findLiteral } = run;
  const first = skipForward(text, from, run.skip);
  let credit = VAIN_UNITS * (literal.length + rest.length);
  // A well-formed literal is found at the bounds of code points only.
  for (let start = first; ; ) {
    const at = findLiteral?.(text, start) ?? text.indexOf(literal, start);
    if (at < 0) return -1;
    const end = matchRest(rest, text, at + literal.length);
    if (end >= 0) return end;
    credit += VAIN_UNITS * (at - start) + end - literal.length;
    start = at + 1;
    if (credit < 0) {
      run.findAll ??= createShiftAnd(sequenceOf(run));
      return run.findAll(text, start);
    }
  }
}

/** The code points that a run matches after those it starts with. */
function sequenceOf({ literal, rest }: Run): number[] {
  const sequence = Array.from(literal, (char) => char.codePointAt(0)!);
  for (let i = 0; i < rest.length; i++) {
    const unit = rest[i]!;
    if (!isHighSurrogate(unit)) sequence.push(unit);
    else sequence.push(String.fromCharCode(unit, rest[++i]!).codePointAt(0)!);
  }
  return sequence;
}

/** Where the run must start to end with the text; negative if the text is too short. */
function findTail(run: Run, text: string): number {
  if (run.skip === 0 && run.rest.length === 0) return text.length - run.literal.length;
  let at = text.length;
  for (let i = 0; i < run.codePoints; i++) {
    at -= startsCodePoint(text.charCodeAt(at - 1)) ? 1 : 2;
  }
  return at;
}

/** Where the match of the units at `from` ends; how many were compared, negative, without one. */
function matchRest(rest: readonly number[], text: string, from: number): number {
  let at = from;
  for (let i = 0; i < rest.length; i++) {
    const unit = text.charCodeAt(at);
    if (rest[i] === ANY) at += isHighSurrogate(unit) ? 2 : 1;
    else if (rest[i] === unit) at++;
    else return -1 - i;
  }
  return at;
}

/** `count` code points on; beyond the end if the text is too short. */
function skipForward(text: string, from: number, count: number): number {
  let at = from;
  for (let i = 0; i < count; i++) {
    at += isHighSurrogate(text.charCodeAt(at)) ? 2 : 1;
  }
  return at;
}

function isHighSurrogate(unit: number): boolean {
  return (unit & 0xfc00) === 0xd800;
}

/** Whether a unit of well-formed text is not the second of a surrogate pair. */
function startsCodePoint(unit: number): boolean {
  return unit < 0xdc00 || unit > 0xdfff;
}
