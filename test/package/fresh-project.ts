import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { buildPackage } from "../built-package.js";

const root: string = join(import.meta.dirname, "../..");
const tsc: string = join(root, "node_modules/typescript/bin/tsc");

/** Another project, with the packed package installed. */
export interface FreshProject {
  readonly folder: string;
  /** Compiles a program, or several of the given file names; returns the lines of its faults. */
  compile(
    program: string | Readonly<Record<string, string>>,
    options?: Readonly<Record<string, unknown>>,
  ): string[];
  /** Links packages from the `node_modules` of this repository. */
  install(...packages: readonly string[]): void;
  remove(): void;
}

/** Packs the package with its types, and installs it in an empty project. */
export function createFreshProject(): FreshProject {
  const home = buildPackage();
  const folder = mkdtempSync(join(tmpdir(), "twinbase-fresh-"));
  const args = [tsc, "-p", "tsconfig.build.json", "--outDir", join(home, "dist")];
  execFileSync(process.execPath, args, { cwd: root });
  const packed = join(folder, "node_modules/twinbase");
  mkdirSync(packed, { recursive: true });
  const [{ filename }] = JSON.parse(
    execFileSync("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", folder], {
      cwd: home,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }),
  ) as [{ filename: string }];
  execFileSync("tar", ["-xzf", join(folder, filename), "-C", packed, "--strip-components=1"]);
  rmSync(home, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{"name":"fresh","type":"module"}');
  const install = (...packages: readonly string[]): void => {
    for (const name of packages) {
      const place = join(folder, "node_modules", name);
      mkdirSync(dirname(place), { recursive: true });
      symlinkSync(join(root, "node_modules", name), place);
    }
  };
  install("immer"); // the dependency
  return {
    folder,
    compile(program, options = {}) {
      const programs = typeof program === "string" ? { "program.ts": program } : program;
      for (const [name, text] of Object.entries(programs)) writeFileSync(join(folder, name), text);
      const compilerOptions = {
        target: "ES2022",
        module: "NodeNext",
        strict: true,
        skipLibCheck: false,
        noEmit: true,
        types: [],
        ...options,
      };
      const config = { compilerOptions, files: Object.keys(programs) };
      writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
      const { stdout } = spawnSync(process.execPath, [tsc, "-p", "."], {
        cwd: folder,
        encoding: "utf8",
      });
      return stdout.split("\n").filter((line) => line !== "");
    },
    install,
    remove: () => rmSync(folder, { recursive: true }),
  };
}
