// Made by scripts/build-demo.mjs.
declare module "#demo" {
  export const TABLES: readonly {
    readonly name: string;
    readonly columns: readonly import("../types.js").ColumnDefinition[];
    readonly records: readonly Record<string, unknown>[];
  }[];
}
