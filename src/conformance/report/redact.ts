import type { Profile } from "../../profile.js";
import type { Json } from "../../types.js";
import { isObject } from "../vectors/pattern.js";
import type { Divergence } from "./report.js";

/** Replaces values that differ between runs: database names, times, cursors, request ids. */
export function redactDivergence(
  divergence: Divergence,
  profile: Profile,
  databases: RegExp,
): Divergence {
  const text = JSON.stringify(divergence).replace(databases, "counterexample");
  const named = JSON.parse(text) as Divergence; // only texts changed
  const { counterexample } = named;
  if (counterexample.kind === "history") return named;
  const metadata = profile.metadataColumn;
  const { vector } = counterexample;
  const steps = vector.steps.map((step) => ({
    ...step,
    // An expectation is JSON and keeps its shape.
    expect: redact(step.expect as Json, metadata, { $metadata: true }) as typeof step.expect,
  }));
  return {
    ...named,
    expected: redact(named.expected, metadata),
    found: redact(named.found, metadata),
    counterexample: { ...counterexample, vector: { ...vector, steps } },
  };
}

function redact(value: Json, metadata: string, replacement?: Json): Json {
  return JSON.parse(JSON.stringify(value), (key, member: Json) => {
    if (key === "cursor" && typeof member === "string") return "…";
    if (!isObject(member)) return member;
    const { createdAt, updatedAt: _, ...untimed } = member;
    if (key === metadata && createdAt !== undefined) return replacement ?? untimed;
    const { id, ...rest } = member;
    return id !== undefined && "message" in member ? rest : member;
  }) as Json;
}
