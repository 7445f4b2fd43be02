import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";

/** A part of a lock file's entry. */
interface LockedPackage {
  readonly version?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const lockPath: string = join(resolve(import.meta.dirname, "../.."), "package-lock.json");
const { packages } = JSON.parse(readFileSync(lockPath, "utf8")) as {
  packages: Readonly<Record<string, LockedPackage>>;
};

describe("package-lock.json", () => {
  it("contains the packages of other platforms", () => {
    // npm silently omits a package that the registry lacks at that time, and `npm ci` then fails.
    const wanted = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).map((name) => ({ path, name })),
    );
    expect(wanted.length).toBeGreaterThan(20);
    expect(wanted.filter(({ path, name }) => !isLocked(path, name))).toEqual([]);
  });

  it("gives every package a version", () => {
    const unlocked = Object.keys(packages).filter((path) => packages[path]?.version === undefined);
    expect(unlocked).toEqual([]);
  });
});

/** Whether Node resolves a package from the folder of another one. */
function isLocked(path: string, name: string): boolean {
  const beside = `${path === "" ? "" : `${path}/`}node_modules/${name}`;
  if (packages[beside] !== undefined) return true;
  return (
    path !== "" && isLocked(path.slice(0, Math.max(0, path.lastIndexOf("node_modules/") - 1)), name)
  );
}
