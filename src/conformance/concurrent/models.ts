import type { Model } from "./linearize.js";

export type RecordInput =
  | { readonly kind: "get" | "query" | "delete" }
  | {
      readonly kind: "put";
      readonly value: number;
      readonly createOnly: boolean;
      readonly ifVersion?: number | undefined;
    }
  | { readonly kind: "patch"; readonly value: number; readonly ifVersion?: number | undefined }
  | { readonly kind: "increment" };

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
    const refused = { state, output: "refused" };
    switch (input.kind) {
      case "get":
      case "query":
        return { state, output: describeRecord(state) };
      case "delete":
        return { state: null, output: state === null ? "no record" : "deleted" };
      case "put":
        if (state === null) return save(input.value, 0); // whatever `ifVersion`
        if (input.ifVersion !== undefined && input.ifVersion !== state.version) return refused;
        return input.createOnly ? refused : save(input.value, state.version + 1);
      case "patch":
        if (state === null) return { state, output: "no record" };
        if (input.ifVersion !== undefined && input.ifVersion !== state.version) return refused;
        return save(input.value, state.version + 1);
      case "increment":
        if (state === null) return { state, output: "no record" };
        return save(state.value + 1, state.version + 1);
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
