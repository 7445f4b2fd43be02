/**
 * The subcommands with their options: the source of parsing, `--help` and `docs/command-line.md`.
 * Loads no subcommand.
 */
export const USAGES = {
  serve: {
    summary: "serves an engine over HTTP",
    operands: ["[file …]"],
    readsFiles: true,
    about:
      "Serves an engine over HTTP until Ctrl-C or `SIGTERM`, and accepts every API key. Each file of records (CSV, TSV, JSON, JSON lines) becomes a table; an export becomes the whole engine.",
    options: {
      port: {
        type: "whole",
        value: "n",
        to: 65_535,
        default: 4000,
        help: "port; 0 picks a free one",
      },
      host: { value: "name", default: "127.0.0.1", help: "address to listen on" },
      profile: {
        type: "word",
        value: "documented|xata|xata-next",
        help: "`xata` for the npm client, `xata-next` for its version `next`; default `documented`, or the profile of the export",
      },
      workspace: {
        value: "id",
        help: "workspace to serve; default `local`, or the first of the export",
      },
      database: {
        value: "name",
        help: "database for the files; default `files`, or the first of the export",
      },
      demo: { help: "serves the countries and large cities of the world; implies `--control`" },
      schema: {
        value: "file|folder",
        help: "creates tables first: the output of `xata schema dump`, a generated client such as `src/xata.ts`, or `.xata/migrations`",
      },
      data: {
        value: "folder",
        help: "stores every write in a folder and continues from it; files and `--schema` fill a new folder only",
      },
      add: {
        help: "loads the files into a folder that has data already, each into a new table or one without records",
      },
      "export-on-exit": { value: "file", help: "writes an export on exit" },
      watch: {
        excludes: ["data"],
        help: "reloads everything when a file changes; other writes are lost",
      },
      verbose: {
        help: "prints each request: method, path, status, milliseconds, records, error message",
      },
      log: {
        type: "word",
        value: "text|json",
        help: "prints requests as text, or as JSON with `method`, `path`, `status`, `ms`, `rows`, `reason`, `cause`",
      },
      cors: {
        value: "origin",
        repeated: true,
        help: "allows pages of another origin to read and write; `*` for all",
      },
      hosts: {
        value: "name",
        repeated: true,
        help: "accepts a host name and its subdomains; `*` for all",
      },
      timeout: {
        type: "whole",
        value: "ms",
        default: 1000,
        excludes: ["postgres"],
        help: "maximum duration of a request, which others wait for; 0 for none",
      },
      "public-url": {
        type: "url",
        value: "url",
        help: "begins the URLs of files, such as that of a proxy; default the server's own",
      },
      latency: { type: "whole", value: "ms", to: 60_000, default: 0, help: "delays each answer" },
      control: {
        help: "serves the explorer and the control routes (reset, snapshots, clock, faults, journal) at `/_twinbase/`",
      },
      "control-key": {
        value: "key",
        help: "key for the control routes if users have keys; default `TWINBASE_CONTROL_KEY`; implies `--control`",
      },
      postgres: {
        value: "postgres://…|pglite:folder",
        excludes: ["demo", "data", "add", "export-on-exit", "watch", "control", "control-key"],
        help: "stores the records in PostgreSQL, on a server or in this process; files and `--schema` fill an empty database",
      },
      seed: {
        type: "whole",
        value: "n",
        help: "makes secrets repeatable, while the clock is fixed also ids; default random",
      },
      types: {
        type: "list",
        value: "a=string,b=int",
        help: "types of columns, in place of those that the values suggest",
      },
    },
  },
  init: {
    summary: "writes a test with a double into a project",
    operands: ["[folder]"],
    about:
      "Writes `test/schema`, `test/double` and a passing test for the test runner (vitest, jest, node:test), language and client of the project. Never overwrites a file.",
    options: {},
  },
  query: {
    summary: "queries a file of CSV or JSON",
    operands: ["<file.csv | .tsv | .json | .ndjson>"],
    readsFiles: true,
    about:
      "Loads a file into a table with inferred columns and queries it. Files may be compressed by gzip; `-` is standard input.",
    options: {
      filter: { value: "'{…}'", help: "a filter" },
      sort: { value: "a,b:desc", help: "columns to sort by, or a sort as JSON" },
      columns: {
        value: "a,b.c",
        help: "columns to show, or a JSON array; default all",
      },
      limit: { type: "whole", value: "n", default: 20, help: "maximum number of records shown" },
      "group-by": {
        type: "list",
        value: "a,b.c",
        help: "prints a summary by the values of columns",
      },
      summarize: {
        type: "list",
        value: "count,sum:a",
        help: "values of a summary: `count`, or `min`, `max`, `sum`, `average` of a column; default `count`",
      },
      format: {
        type: "word",
        value: "table|csv|json|ndjson",
        default: "table",
        help: "form of the records",
      },
      json: { help: "the same as `--format json`" },
      "escape-formulas": {
        help: "puts an apostrophe before texts of a CSV that spreadsheets read as formulas",
      },
      schema: { help: "prints the inferred columns instead of records" },
      types: {
        type: "list",
        value: "a=string,b=int",
        help: "types of columns, in place of those that the values suggest",
      },
    },
  },
  inspect: {
    summary: "checks an export or data folder and prints its contents",
    operands: ["<export | folder>"],
    about:
      "Checks an export of `serve --export-on-exit`, `copy` or `exportEngine`, or a folder of `serve --data` or `openEngine`, completely, and prints its contents. For a file of records, use `query <file> --schema`.",
    options: {},
  },
  conform: {
    summary: "checks a service against the rules of the interface",
    operands: ["<workspace url>"],
    about:
      "Checks a service against the rules of the interface. Creates its own databases and deletes them at the end, also after Ctrl-C. Needs `npm install -D fast-check`.",
    options: {
      control: {
        type: "url",
        value: "url",
        help: "control address; default the origin of the workspace address",
      },
      workspace: { value: "id", default: "local", help: "workspace to check" },
      key: { value: "key", help: "API key" },
      profile: {
        type: "word",
        value: "documented|xata|xata-next",
        default: "documented",
        help: "profile of the service",
      },
      null: {
        type: "word",
        value: "complement|sql",
        help: "how negations treat null; default by profile",
      },
      auth: { type: "word", value: "open|closed", help: "also checks authentication" },
      without: {
        type: "list",
        value: "list",
        help: "skips missing features: `transaction,summarize`",
      },
      with: { type: "list", value: "list", help: "includes features skipped by default: `user`" },
      "allow-writes": { help: "required for a service on another machine" },
      rate: { type: "number", value: "n", from: 0.1, help: "maximum requests per second" },
      tier: {
        type: "word",
        value: "core|complete|strict",
        default: "strict",
        help: "rules to check",
      },
      only: {
        type: "list",
        value: "list",
        help: "rules, sections, kinds or checks to run: `F-12,G,law,law:filters-equal-the-oracle`",
      },
      skip: { type: "list", value: "list", help: "rules, sections, kinds or checks to skip" },
      seed: {
        type: "whole",
        value: "n",
        default: 1,
        help: "seed of the generated cases",
      },
      runs: { type: "whole", value: "n", from: 1, default: 25, help: "cases per law" },
      time: {
        type: "number",
        value: "seconds",
        from: 0.001,
        help: "limits the whole run, instead of `--runs`",
      },
      require: { help: "reports missing operations, operators, types and pages as divergences" },
      "fail-fast": { help: "stops at the first divergence" },
      concurrent: { help: "also checks concurrent writes to the same records" },
      chaos: { help: "the same with answers cut off, and requests repeated and delayed" },
      path: { value: "path", help: "repeats a case of a report, with `--only` and `--seed`" },
      deviations: {
        value: "file",
        help: 'accepts deviations until a date: `[{ "what", "reason", "expires" }]`',
      },
      out: {
        value: "file",
        repeated: true,
        help: "writes the report as .txt, .json, .xml (JUnit), .html, .md or .svg (a badge)",
      },
      summary: {
        value: "file",
        help: "appends the report in Markdown: `$GITHUB_STEP_SUMMARY`",
      },
      history: {
        value: "folder",
        help: "stores the run and reports changes since earlier ones",
      },
      quiet: { help: "shows no progress, and divergences only in the report" },
    },
    exitCodes: "0 conforms, 1 diverges, 2 wrong arguments, 3 undecided",
  },
  copy: {
    summary: "copies between exports and databases in PostgreSQL",
    operands: [
      "<export | postgres://… | pglite:folder>",
      "<export | postgres://… | pglite:folder>",
    ],
    about:
      "Copies an export or database into an empty database, or writes an export of a database. The result is read back and compared with the source.",
    options: {
      profile: {
        type: "word",
        value: "documented|xata|xata-next",
        help: "profile of the source database",
      },
    },
  },
  advise: {
    summary: "prints which indexes a database in PostgreSQL lacks",
    operands: ["<postgres://… | pglite:folder>"],
    about:
      "Prints SQL that creates the indexes that past queries lacked, and drops those never used.",
    options: {
      profile: {
        type: "word",
        value: "documented|xata|xata-next",
        help: "profile of the database",
      },
    },
  },
} as const;
