import type { Profile } from "../../profile.js";
import type { Json } from "../../types.js";
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
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value))
    return value.map((member: Json) => redact(member, metadata, replacement));
  const object = value as { readonly [key: string]: Json };
  const isError = "message" in object && "id" in object;
  return Object.fromEntries(
    Object.entries(object)
      .filter(([key]) => !(isError && key === "id"))
      .map(([key, member]) => {
        if (key === "cursor" && typeof member === "string") return [key, "…"];
        if (key !== metadata || !isTimed(member))
          return [key, redact(member, metadata, replacement)];
        const { createdAt: _, updatedAt: __, ...rest } = member;
        return [key, replacement ?? rest];
      }),
  );
}

function isTimed(value: Json): value is { readonly [key: string]: Json } {
  return typeof value === "object" && value !== null && "createdAt" in value;
}
