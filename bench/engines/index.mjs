// The engines by their names on the command line, in the order of the report.

export const ENGINES = {
  twinbase: () => import("./twinbase.mjs"),
  plain: () => import("./plain.mjs"),
  lokijs: () => import("./lokijs.mjs"),
  sqlite: () => import("./sqlite.mjs"),
  duckdb: () => import("./duckdb.mjs"),
  duckdb1: async () => ({ adapter: (await import("./duckdb.mjs")).oneThread }),
  arquero: () => import("./arquero.mjs"),
};

export const MEASURED = Object.keys(ENGINES);
