import { isPlainObject } from "../value/json.js";

export function namesInFilter(request: unknown): ReadonlySet<string> {
  const names = new Set<string>();
  if (isPlainObject(request)) collect(request.filter, "", names);
  return names;
}

function collect(part: unknown, path: string, names: Set<string>): void {
  if (Array.isArray(part)) for (const member of part) collect(member, path, names);
  if (!isPlainObject(part)) return;
  for (const [key, member] of Object.entries(part)) {
    if (key === "$exists" || key === "$notExists" || key === "$existsNot") {
      for (const name of [member].flat()) if (typeof name === "string") names.add(path + name);
    } else if (key.startsWith("$")) collect(member, path, names);
    else {
      names.add(path + key);
      collect(member, `${path}${key}.`, names);
    }
  }
}
