import { readPointer } from "../../errors.js";
import type { WireRequest, WireResponse } from "../target/connection.js";
import { damageText } from "./variables.js";
import type { Expectation, VectorStep } from "./vector.js";

export interface RecordedStep {
  readonly request: WireRequest;
  readonly answer: WireResponse | undefined;
  expect: Expectation;
}

/** Renders recorded steps as those of a vector, with variables for cursors. */
export function renderSteps(steps: readonly RecordedStep[]): VectorStep[] {
  const variables = new Map<string, string>();
  const used = new Set<string>();
  const rename = (text: string): string => {
    const [variable, place] = findCursor(variables, text);
    if (variable === undefined) return text;
    used.add(variable);
    return place === undefined ? `\${${variable}}` : `\${damage:${place}:${variable}}`;
  };
  const rendered = steps.map(({ request, answer, expect }, i): VectorStep => {
    const named = JSON.parse(JSON.stringify(request), (_, value: unknown) =>
      typeof value === "string" ? rename(value) : value,
    ) as Omit<VectorStep, "expect">; // a request of JSON
    const cursor = readPointer(answer?.body, "/meta/page/cursor");
    if (typeof cursor === "string" && !variables.has(cursor)) variables.set(cursor, `c${i + 1}`);
    return { ...named, expect };
  });
  return rendered.map((step, i) =>
    used.has(`c${i + 1}`) ? { ...step, capture: { [`c${i + 1}`]: "/meta/page/cursor" } } : step,
  );
}

/** The variable of a cursor, possibly with one changed character. */
function findCursor(
  variables: ReadonlyMap<string, string>,
  text: string,
): [variable?: string, place?: number] {
  const variable = variables.get(text);
  if (variable !== undefined) return [variable];
  for (const [cursor, name] of variables) {
    const place = [...cursor].findIndex((character, i) => character !== text[i]);
    if (place >= 0 && damageText(cursor, place) === text) return [name, place];
  }
  return [];
}
