/** What each subcommand is called with, and what that means: told without loading any of them. */
export const USAGES = {
  serve: `usage: twinbase serve [options] [file …]

Serves an engine over HTTP until it is told to stop, open to every key. A file is CSV or JSON, loaded
into a table of its own, or an export, which the engine is then made of.

  --port n            default 4000; 0 for a free one
  --host name         default 127.0.0.1, which only this machine reaches
  --profile name      documented, or xata for the npm client; default documented
  --workspace id      default local, or the first of an export
  --database name     default files, or the first of an export
  --demo              serves the countries and large cities of the world, with --control
  --load file         a file, as those given by themselves; may be repeated
  --schema file       tables to make first: { "tables": [{ "name", "columns" }] }, as the service
                      answers it and \`xata schema dump\` writes it
  --import file       an export that the engine is made of
  --data folder       keeps all that is written in a folder, and goes on from what is there; files,
                      --schema and --import fill it the first time
  --export-on-exit file
                      writes an export at the end, which --import takes
  --watch             loads everything again when a file changes; the address stays
  --verbose           says a line of each request: method, path, status, milliseconds, records,
                      and of an error the reason
  --log format        text, as --verbose has it, or json: an object to a line
  --cors origin       lets pages of an origin read answers and write, '*' those of all; may be repeated
  --hosts name        answers at that host name too, and at those below it, '*' at any; may be repeated
  --latency ms        waits so long before each answer
  --control           has the explorer, a page for a browser, at /_twinbase/, and answers there too:
                      reset, snapshots, clock, faults, journal, counts
  --postgres address  keeps the records in PostgreSQL: postgres://… for a server, pglite:folder for
                      one inside of this process; no files and no export go with it
  --seed n            decides ids and chance; default random
`,
  init: `usage: twinbase init [folder]

Writes test/schema, test/double and a test that passes into a project, for vitest, jest or node:test, the
npm client and TypeScript, as its package.json and tsconfig.json say. A file that is there is kept.
`,
  conform: `usage: twinbase conform <workspace url> [options]

Checks that a service keeps the rules of the interface. Databases with names of their own are made
there and deleted at the end, also after Ctrl-C. It needs fast-check beside twinbase:
npm install -D fast-check

  --control <url>      the control address; default: the origin of the workspace address
  --workspace <id>     the workspace; default: local
  --key <key>          the API key
  --profile <name>     documented (default) or xata
  --null <mode>        what negations do with null: complement or sql; default: the profile's
  --auth <mode>        open or closed: check who is let in
  --without <list>     what the service does not offer, such as transaction,summarize
  --with <list>        what is left out unless asked for, such as user
  --allow-writes       needed for a service on another machine
  --rate <n>           at most so many requests a second
  --tier <tier>        how far to go: core, complete or strict (default)
  --only <list>        rules, sections, kinds or checks to keep to: F-12,G,law,law:double-negation
  --skip <list>        rules, sections, kinds or checks to leave out
  --seed <n>           which cases; default 1
  --runs <n>           cases of each law; default 25
  --time <seconds>     time for the whole run, in place of --runs
  --fail-fast          stop at the first divergence
  --concurrent         also check what several clients do at once
  --path <path>        a case that a report names, with --only and --seed
  --deviations <file>  known deviations: [{ "what", "reason", "expires" }]
  --out <file>         write the report as .txt, .json, .xml (JUnit) or .html, and print a summary;
                       may come several times
  --history <folder>   keep this run there, and report what has changed since earlier ones
  --quiet              no progress, and divergences only in the report

Exit codes: 0 conforms, 1 diverges, 2 usage, 3 could not decide.
`,
  query: `usage: twinbase query <file.csv|.tsv|.json|.ndjson> [options]

Loads a file into a table of its own, with the columns inferred, and queries it; - is standard
input.

  --filter '{…}'      a filter
  --sort a,b:desc     columns to sort by, or a sort as JSON
  --columns a,b.c     columns to show, or an array of them as JSON; default all
  --limit n           most records to show; default 20
  --json              print records as JSON, not as a table
  --schema            print the columns that were inferred, and no records
`,
  inspect: `usage: twinbase inspect <export>

Checks the whole of an export, and prints what it holds. An export is a file that
\`twinbase serve --export-on-exit file\`, \`twinbase copy\` or \`exportEngine\` of twinbase/export has
written; a file of records is looked at with \`twinbase query file --schema\`.
`,
  advise: `usage: twinbase advise <postgres://… | pglite:folder> [options]

Prints, as statements of SQL, which indexes the queries that were asked could go by and are not there,
and which of those that were made no query has read.

  --profile name      documented (default) or xata, as the database was made
`,
  copy: `usage: twinbase copy <export> <postgres://… | pglite:folder>
       twinbase copy <postgres://… | pglite:folder> <export | postgres://… | pglite:folder> [options]

Copies all that an export or a database holds into a database that holds nothing, in one transaction;
or writes an export of a database. What was copied is read again, and compared by counts and a hash.

  --profile name      documented (default) or xata, as the database that is read was made
`,
} as const;
