import { createEngine } from "twinbase";
import { createFetch } from "twinbase/http";
import { afterEach, describe, expect, it, vi } from "vitest";

const ADDRESS = "http://localhost/dbs";

/** The same answer as text, and as a stream to a `Request`. */
async function ask(): Promise<readonly [text: Response, stream: Response]> {
  const fetch = createFetch(createEngine({ now: 0, seed: 1 }), { workspaces: ["w"] });
  const asked = { headers: { "x-name": "ö" } };
  return [await fetch(ADDRESS, asked), await fetch(new Request(ADDRESS, asked))];
}

async function readAll(body: ReadableStream<Uint8Array> | null): Promise<string> {
  return new Response(body).text();
}

const READS: Readonly<Record<string, (response: Response) => Promise<unknown>>> = {
  text: (response) => response.text(),
  json: (response) => response.json(),
  arrayBuffer: async (response) => Buffer.from(await response.arrayBuffer()).toString(),
  blob: async (response) => (await response.blob()).text(),
  body: ({ body }) => readAll(body),
  "text of a clone": async (response) => response.clone().text(),
};

describe.each(Object.entries(READS))("the answer to a usual call, read as %s", (name, read) => {
  it("equals the answer to a Request", async () => {
    const [text, stream] = await ask();
    const withoutId = (answer: unknown): unknown =>
      JSON.parse(JSON.stringify(answer).replaceAll(/req_\w+/g, ""));
    expect(withoutId(await read(text))).toEqual(withoutId(await read(stream)));
    expect([text.status, text.headers.get("content-type")]).toEqual([
      stream.status,
      stream.headers.get("content-type"),
    ]);
    expect(text.bodyUsed).toBe(stream.bodyUsed);
    expect(text.bodyUsed).toBe(name !== "text of a clone");
  });

  it.each(Object.keys(READS))("cannot be read again as %s", async (again) => {
    const [text, stream] = await ask();
    await read(text);
    await read(stream);
    const outcome = (response: Response): Promise<string> =>
      READS[again]!(response).then(
        () => "read",
        () => "refused",
      );
    expect(await outcome(text)).toBe(await outcome(stream));
  });
});

describe("a usual call", () => {
  it.each([
    ["a body in a GET", ADDRESS, { body: "{}" }],
    ["a relative address", "/dbs", {}],
    ["a password", "http://a:b@localhost/dbs", {}],
    ["a bad method", ADDRESS, { method: "a b" }],
    ["a bad header", ADDRESS, { headers: { "a b": "" } }],
  ])("is refused like a Request for %s", async (_name, address, init) => {
    const fetch = createFetch(createEngine());
    expect(() => new Request(address, init)).toThrow(TypeError);
    await expect(fetch(address, init)).rejects.toThrow(TypeError);
  });

  it("rejects when it is aborted", async () => {
    const fetch = createFetch(createEngine());
    const reason = new Error("enough");
    await expect(fetch(ADDRESS, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const abort = new AbortController();
    const answer = fetch(ADDRESS, { signal: abort.signal });
    abort.abort(reason);
    await expect(answer).rejects.toBe(reason);
  });
});

describe("a platform whose servers read responses without their methods", () => {
  afterEach(() => vi.unstubAllGlobals());

  it.each([
    ["Deno", "Deno", {}],
    ["native responses", "Response", new Proxy(Response, {})],
  ])("%s gets a response of its own class", async (_name, global, value) => {
    vi.stubGlobal(global, value);
    const answer = await createFetch(createEngine(), { workspaces: ["w"] })(ADDRESS);
    expect(Object.getPrototypeOf(answer)).toBe(Response.prototype);
    expect(await answer.json()).toEqual(expect.anything());
  });
});
