import type { Test, TextOperator } from "../query/bound/bound-query.js";
import { foldCase } from "../value/text.js";
import type { Dialect, StatementWriter } from "./statement.js";
import { MARK, WRITTEN_LEAD, writeText } from "./text.js";

interface TextContext {
  readonly writer: StatementWriter;
  readonly dialect: Dialect;
}

/** Writes the test of a text expression (F-10, F-11). */
export function writeTextTest(
  context: TextContext,
  text: string,
  { operator, operand }: Extract<Test, { kind: "text" }>,
): string {
  const { writer } = context;
  const like = (pattern: string): string => `${text} like ${writer.bind(pattern)}`;
  switch (operator) {
    case "contains":
      return like(`%${plain(operand)}%`);
    case "startsWith":
      return like(`${plain(operand)}%`);
    case "endsWith":
      return like(`%${plain(operand)}`);
    case "iContains": {
      const pattern = `%${plain(foldCase(operand))}%`;
      return `${foldText(context.dialect, text)} like ${writer.bind(markDotted(pattern))}`;
    }
    case "pattern":
    case "iPattern":
      return patternTest(context, text, operator, operand);
  }
}

function patternTest(
  context: TextContext,
  text: string,
  operator: TextOperator,
  operand: string,
): string {
  const { writer } = context;
  const ignoresCase = operator === "iPattern";
  const value = ignoresCase ? foldText(context.dialect, text) : text;
  const parts = partsOf(ignoresCase ? foldCase(operand) : operand);
  const bind = (pattern: string): string =>
    writer.bind(ignoresCase ? markDotted(pattern) : pattern);
  const like = `${value} like ${bind(parts.map(likePart).join(""))}`;
  if (!parts.some((part) => part.kind === "one")) return like;
  // `?` would match one of several characters of an escaped one; texts with those use a special
  // expression.
  const expression = bind(`^(?:${parts.map(expressionPart).join("")})$`);
  const isPlain = `strpos(${text}, ${writer.bind(WRITTEN_LEAD)}) = 0`;
  return `case when ${isPlain} then ${like} else ${value} ~ ${expression} end`;
}

/** Lower case; keeps İ by replacing it with a mark. */
export function foldText(dialect: Dialect, text: string): string {
  const [dotted, mark] = [DOTTED_I, MARK].map((character) => `chr(${character.codePointAt(0)})`);
  return dialect.foldCase(`replace(${text}, ${dotted}, ${mark})`);
}

const DOTTED_I = "\u0130";

function markDotted(pattern: string): string {
  return pattern.replaceAll(DOTTED_I, MARK);
}

type Part =
  | { readonly kind: "any" }
  | { readonly kind: "one" }
  | { readonly kind: "text"; readonly text: string };

function partsOf(pattern: string): Part[] {
  const parts: Part[] = [];
  let text = "";
  const endText = (): void => {
    if (text !== "") parts.push({ kind: "text", text });
    text = "";
  };
  for (let i = 0; i < pattern.length; i++) {
    const unit = pattern[i]!;
    if (unit === "*" || unit === "?") {
      endText();
      parts.push({ kind: unit === "*" ? "any" : "one" });
    } else text += unit === "\\" ? (pattern[++i] ?? "") : unit;
  }
  endText();
  return parts;
}

function likePart(part: Part): string {
  if (part.kind === "text") return plain(part.text);
  return part.kind === "any" ? "%" : "_";
}

function expressionPart(part: Part): string {
  if (part.kind === "any") return ".*";
  if (part.kind === "one") return "(?:[^\\u0001]|\\u0001.{3})";
  return Array.from(writeText(part.text), quoteCharacter).join("");
}

function quoteCharacter(character: string): string {
  if (/^[A-Za-z0-9\u0130]$/.test(character)) return character;
  return `\\U${character.codePointAt(0)!.toString(16).padStart(8, "0")}`; // a non-empty string
}

function plain(text: string): string {
  return writeText(text).replace(WILDCARDS, "\\$&");
}

const WILDCARDS = /[\\%_]/g;
