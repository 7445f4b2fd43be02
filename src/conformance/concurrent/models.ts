import type { Model } from "./linearize.js";

export type RecordInput =
  | { readonly kind: "get" | "query" | "delete" | "increment" }
  | {
      readonly kind: "put" | "patch";
      readonly value: number;
      readonly ifVersion?: number | undefined;
      /** Only `put` has it. */
      readonly createOnly?: boolean;
    };

interface VersionedValue {
  readonly version: number;
  readonly value: number;
}

export type RecordState = VersionedValue | null;

export function describeRecord(record: RecordState): string {
  return record === null ? "no record" : `version ${record.version}, value ${record.value}`;
}

export const RECORD_MODEL: Model<RecordState, RecordInput> = {
  initial: null,
  apply(state, input) {
    const save = (value: number, version: number): { state: RecordState; output: string } => {
      const saved = { version, value };
      return { state: saved, output: describeRecord(saved) };
    };
    const missing = { state, output: "no record" };
    switch (input.kind) {
      case "get":
      case "query":
        return { state, output: describeRecord(state) };
      case "delete":
        return state === null ? missing : { state: null, output: "deleted" };
      case "increment":
        return state === null ? missing : save(state.value + 1, state.version + 1);
      default: {
        const { kind, value, ifVersion, createOnly = false } = input;
        // a put of a missing record inserts it, whatever the version.
        if (state === null) return kind === "put" ? save(value, 0) : missing;
        const isOther = ifVersion !== undefined && ifVersion !== state.version;
        if (isOther || createOnly) return { state, output: "refused" };
        return save(value, state.version + 1);
      }
    }
  },
};

export interface UniqueInput {
  readonly kind: "insert" | "delete";
  readonly id: string;
}

/** A value of a unique column: the id of its record, or null (T-16). */
export const UNIQUE_MODEL: Model<string | null, UniqueInput> = {
  initial: null,
  apply(owner, { kind, id }) {
    if (kind === "delete") return { state: owner === id ? null : owner, output: "deleted" };
    return owner === null ? { state: id, output: "inserted" } : { state: owner, output: "refused" };
  },
};

/** An operation of a transaction. */
export type Act =
  | { readonly kind: "get"; readonly key: string }
  | { readonly kind: "update"; readonly key: string; readonly value: number }
  | { readonly kind: "fail" };

/** Records that begin with value 0, in transactions. */
export const TRANSACTION_MODEL: Model<Readonly<Record<string, VersionedValue>>, readonly Act[]> = {
  initial: {},
  apply(state, acts) {
    let after = state;
    const answers: string[] = [];
    for (const act of acts) {
      if (act.kind === "fail") return { state, output: "refused" };
      const { version, value } = after[act.key] ?? { version: 0, value: 0 };
      const isUpdate = act.kind === "update";
      const record = isUpdate ? { version: version + 1, value: act.value } : { version, value };
      if (isUpdate) after = { ...after, [act.key]: record };
      answers.push(describeAct(act.key, record));
    }
    return { state: after, output: answers.join("; ") };
  },
};

export function describeAct(key: string, record: VersionedValue): string {
  return `${key}: ${describeRecord(record)}`;
}
