/** Renders JSON, with members in one line where they fit. */
export function renderJson(value: unknown, indent = "", width = 96): string {
  const line = renderLine(value);
  if (line.length <= width || typeof value !== "object" || value === null) return line;
  const inner = `${indent}  `;
  const rest = width - 2;
  if (Array.isArray(value)) {
    const members = value.map((member) => `${inner}${renderJson(member, inner, rest)}`);
    return `[\n${members.join(",\n")}\n${indent}]`;
  }
  const entries = Object.entries(value).map(
    ([key, member]) =>
      `${inner}${JSON.stringify(key)}: ${renderJson(member, inner, rest - key.length)}`,
  );
  return `{\n${entries.join(",\n")}\n${indent}}`;
}

function renderLine(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  if (Array.isArray(value)) return `[${value.map(renderLine).join(", ")}]`;
  const entries = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([key, member]) => `${JSON.stringify(key)}: ${renderLine(member)}`);
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
}
