/**
 * Whether a JSON pointer leads into one of a call's arguments. The last step may be missing: an
 * absent member is reported at its parent.
 */
export function pointsInto(args: readonly unknown[], path: string): boolean {
  if (path === "") return true;
  if (!path.startsWith("/")) return false;
  const steps = path
    .slice(1)
    .split("/")
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
  // Some arguments are named as keys in paths, such as operations.
  const [first] = args;
  const roots = [...args, { operations: first }, { name: args.at(-1) }, { gitBranch: first }];
  return roots.some((root) => leadsInto(root, steps));
}

function leadsInto(root: unknown, steps: readonly string[]): boolean {
  let at = root;
  for (const step of steps.slice(0, -1)) {
    if (typeof at !== "object" || at === null) return false;
    const descriptor = Object.getOwnPropertyDescriptor(at, step);
    if (descriptor === undefined) return false;
    at = descriptor.get === undefined ? descriptor.value : undefined;
  }
  return typeof at === "object" && at !== null;
}
