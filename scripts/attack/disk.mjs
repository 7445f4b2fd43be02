// Simulates a disk that loses unsynced data and may be full: replaces functions of `node:fs` for one folder.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { basename, dirname, join } from "node:path";

const real = { ...fs };
const CHANGES = [
  ...["openSync", "writeSync", "writeFileSync", "fdatasyncSync", "fsyncSync", "ftruncateSync"],
  ...["renameSync", "linkSync", "rmSync", "mkdirSync", "write", "fdatasync", "closeSync"],
];

/** The synced and the unsynced bytes of a file. */
const createFile = () => ({ durable: Buffer.alloc(0), pending: Buffer.alloc(0) });

/** Watches a folder. `onChange` runs before each change, `fault` may return its error, `isLying` ignores syncs. */
export function watchDisk(
  folder,
  { onChange = () => {}, fault = () => undefined, isLying = false },
) {
  /** Synced names; `changes` are the unsynced ones. */
  const names = new Map();
  let changes = [];
  const files = new Map();
  const nameOf = (path) => (dirname(String(path)) === folder ? basename(String(path)) : undefined);
  const fileAt = (name) => {
    const { ino } = real.statSync(join(folder, name));
    if (!files.has(ino)) files.set(ino, createFile());
    return files.get(ino);
  };
  const opened = new Map();
  for (const name of real.readdirSync(folder)) {
    const file = fileAt(name);
    file.durable = real.readFileSync(join(folder, name));
    names.set(name, file);
  }
  const change = (run) => {
    changes.push(run);
  };
  const append = (file, bytes) => {
    const known = opened.get(file);
    if (known !== undefined) known.pending = Buffer.concat([known.pending, Buffer.from(bytes)]);
  };
  /** Persists the content of a file at the start of its sync. */
  const sync = (known, { length }) => {
    if (known === undefined || isLying) return;
    known.durable = Buffer.concat([known.durable, known.pending.subarray(0, length)]);
    known.pending = known.pending.subarray(length);
  };
  const syncNow = (file) => {
    if (opened.get(file) === "folder") {
      for (const run of changes) run(names);
      changes = [];
    } else if (opened.has(file)) sync(opened.get(file), opened.get(file).pending);
  };

  const acts = {
    openSync(path, flags, ...rest) {
      const isNew = nameOf(path) !== undefined && !real.existsSync(path);
      const file = real.openSync(path, flags, ...rest);
      if (String(path) === folder) opened.set(file, "folder");
      const name = nameOf(path);
      if (name === undefined) return file;
      if (isNew) files.delete(real.fstatSync(file).ino);
      const known = fileAt(name);
      opened.set(file, known);
      if (flags.startsWith("w") && !isNew) Object.assign(known, createFile());
      if (isNew) change((after) => after.set(name, known));
      return file;
    },
    writeSync(file, bytes, ...rest) {
      const count = real.writeSync(file, bytes, ...rest);
      append(file, bytes);
      return count;
    },
    writeFileSync(target, bytes, ...rest) {
      if (typeof target === "number") {
        real.writeFileSync(target, bytes, ...rest);
        append(target, bytes);
        return;
      }
      const file = acts.openSync(target, "w");
      real.writeFileSync(file, bytes, ...rest);
      append(file, bytes);
      real.closeSync(file);
    },
    fdatasyncSync(file) {
      real.fdatasyncSync(file);
      syncNow(file);
    },
    fsyncSync(file) {
      real.fsyncSync(file);
      syncNow(file);
    },
    ftruncateSync(file, length) {
      real.ftruncateSync(file, length);
      const known = opened.get(file);
      if (known === undefined) return;
      const whole = Buffer.concat([known.durable, known.pending]).subarray(0, length);
      Object.assign(known, { durable: whole, pending: Buffer.alloc(0) }); // truncated bytes never return
    },
    renameSync(from, to) {
      real.renameSync(from, to);
      const [before, after] = [nameOf(from), nameOf(to)];
      if (before === undefined || after === undefined || after === "lock") return;
      change((map) => {
        map.set(after, map.get(before) ?? fileAt(after));
        map.delete(before);
      });
    },
    linkSync(from, to) {
      real.linkSync(from, to);
      const [before, after] = [nameOf(from), nameOf(to)];
      const known = before === undefined ? undefined : fileAt(before);
      if (known !== undefined) change((map) => map.set(after, known));
    },
    rmSync(path, options) {
      const isThere = real.existsSync(path);
      real.rmSync(path, options);
      const name = nameOf(path);
      if (isThere && name !== undefined) change((map) => map.delete(name));
    },
    mkdirSync: real.mkdirSync,
    closeSync(file) {
      opened.delete(file);
      real.closeSync(file);
    },
    write(file, bytes, done) {
      real.write(file, bytes, (error, count) => {
        if (error === null) append(file, bytes.subarray(0, count));
        done(error, count);
      });
    },
    fdatasync(file, done) {
      const known = opened.get(file);
      const pending = known?.pending ?? Buffer.alloc(0);
      real.fdatasync(file, (error) => {
        if (error === null) sync(known, pending);
        done(error);
      });
    },
  };
  for (const name of CHANGES) {
    fs[name] = (...given) => {
      const [target, flags] = given;
      const isOurs =
        typeof target === "number" ? opened.has(target) : String(target).startsWith(folder);
      const needsNoSpace = name === "closeSync" || (name === "openSync" && flags !== "w");
      if (needsNoSpace || !isOurs) return acts[name](...given);
      onChange(name);
      const error = name === "rmSync" ? undefined : fault(name);
      if (error === undefined) return acts[name](...given);
      if (name !== "write" && name !== "fdatasync") throw error;
      if (name === "fdatasync") return setImmediate(given[1], error);
      return acts.write(given[0], given[1].subarray(0, 5), () => given[2](error));
    };
  }
  syncBuiltinESMExports();
  return {
    /** Returns the files after a power failure, at random. */
    lose(random) {
      const map = new Map(names);
      const isPrefix = random(2) === 0;
      const count = random(changes.length + 1);
      for (const [at, run] of changes.entries()) {
        if (isPrefix ? at < count : random(2) === 0) run(map);
      }
      return new Map(Array.from(map, ([name, file]) => [name, loseBytes(file, random)]));
    },
    restore() {
      for (const name of CHANGES) fs[name] = real[name];
      syncBuiltinESMExports();
    },
  };
}

/** Drops some unsynced bytes, and replaces others by zeros. */
function loseBytes({ durable, pending }, random) {
  const rest = Buffer.from(
    pending.subarray(0, random(3) === 0 ? pending.length : random(pending.length + 1)),
  );
  if (random(3) === 0) {
    const from = random(rest.length + 1);
    rest.fill(0, from, random(2) === 0 ? rest.length : from + random(rest.length - from + 1));
  }
  return Buffer.concat([durable, rest]);
}
