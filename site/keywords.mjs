// Words that readers search for, by page. The search finds a page by them as by its title.
export const KEYWORDS = {
  "docs/accounts.md":
    "permissions roles members invitations users keys API key authentication authorization 401 403",
  "docs/capacity.md": "scale sharding cluster Citus failover backup replication",
  "docs/conform.md": "conformance contract test compatibility vectors JUnit report",
  "docs/control.md": "reset snapshot restore clock faults journal HTTP any language remote control",
  "docs/data.md": "persist persistence durable disk save folder crash recovery",
  "docs/docker-and-ci.md":
    "docker container compose Dockerfile image CI GitHub Actions pipeline health check",
  "docs/embed.md": "snapshot restore fork branch null export import types embed library in-process",
  "docs/explorer.md": "explorer UI browser admin studio GUI grid charts",
  "docs/fake-timers.md":
    "fake timers useFakeTimers mock clock freeze time travel Date advanceTimers sinon",
  "docs/figures.md": "performance speed benchmark latency memory fast slow throughput",
  "docs/file-formats.md":
    "CSV TSV JSON NDJSON GeoJSON gzip encoding latin1 UTF-16 duplicate id header dates types of columns in files heap memory import",
  "docs/files.md": "upload download file attachment image blob base64 signed URL",
  "docs/generated-client.md":
    "codegen xata init generated client XataClient getXataClient singleton stub fetch stubGlobal mock",
  "docs/history.md": "migration migrations schema change merge compare pull push xata command line",
  "docs/how-it-works.md": "architecture internals index storage copy on write plan",
  "docs/live.md":
    "live query queries subscribe subscription onSnapshot realtime real-time reactive observable watch changes updates push notify",
  "docs/moving.md": "move migrate export pg_dump CSV shutdown retired sunset xata data",
  "docs/mounting.md": "Hono Express Fastify Next.js Bun Deno middleware handler mount",
  "docs/pagination.md":
    "pagination paginate pages paging page size cursor offset limit next previous getAll infinite scroll",
  "docs/postgres.md": "postgres postgresql database SQL durable PGlite persistence index",
  "docs/python.md": "python requests unittest pytest",
  "docs/query-language.md":
    "filter by date datetime range where operator null sort order relation relations link join select columns aggregate group group by count like regex pattern json list",
  "docs/reference.md":
    "API exports unique relation column types handles methods transaction atomic batch increment decrement",
  "docs/retries.md":
    "retry retries 429 rate limit backoff latency delay slow timeout error fault injection flaky mock failure ECONNRESET dropped connection",
  "docs/rules.md": "errors codes status unique constraint null validation",
  "docs/runners.md":
    "vitest jest node:test mocha runner setup CommonJS require concurrent tests parallel describe.concurrent",
  "docs/search.md": "full text search vector vectors embedding similarity fuzzy highlight typo",
  "docs/serve.md": "server port command line CLI CORS latency fixtures seed data watch",
  "docs/testing.md":
    "mock stub double fixtures seed data test reset fork snapshot unique journal spy beforeEach msw mock service worker cascade",
  "docs/tested.md": "quality fuzzing mutation testing oracle coverage",
  "docs/troubleshooting.md":
    "error errors problem fails FAQ help unknown_column ENOTFOUND EADDRINUSE",
  "docs/which-tool.md": "compare choose alternatives mock versus double fork snapshot reset branch",
  "docs/windows.md": "windows PowerShell cmd quoting localhost WSL",
};
