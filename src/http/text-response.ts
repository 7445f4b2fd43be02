type CreateResponse = (text: string, init: ResponseInit) => Response;

/**
 * Returns the constructor of responses whose `body` is created when it is first used: to read a text
 * through a stream takes as long as a database statement. Called late: some test environments have
 * no `Response` when they load this.
 */
export function openTextResponses(): CreateResponse {
  const isReadNatively = "Deno" in globalThis || String(Response).includes("[native code]");
  if (isReadNatively) return (text, init) => new Response(streamOf(text), init);
  class TextResponse extends Response {
    readonly #text: string;
    #isRead = false;
    #streamed: Response | undefined;

    constructor(text: string, init: ResponseInit) {
      super(null, init);
      this.#text = text;
    }

    override get body(): ReadableStream<Uint8Array<ArrayBuffer>> | null {
      return this.#stream().body;
    }

    override get bodyUsed(): boolean {
      return this.#isRead || this.#streamed?.bodyUsed === true;
    }

    override async text(): Promise<string> {
      if (this.#isRead || this.#streamed !== undefined) return this.#stream().text();
      this.#isRead = true;
      return this.#text;
    }

    override async json(): Promise<unknown> {
      return JSON.parse(await this.text());
    }

    override arrayBuffer(): Promise<ArrayBuffer> {
      return this.#stream().arrayBuffer();
    }

    override async bytes(): Promise<Uint8Array<ArrayBuffer>> {
      return new Uint8Array(await this.arrayBuffer());
    }

    override blob(): Promise<Blob> {
      return this.#stream().blob();
    }

    override formData(): Promise<FormData> {
      return this.#stream().formData();
    }

    override clone(): Response {
      return this.#stream().clone();
    }

    #stream(): Response {
      if (this.#streamed === undefined) {
        this.#streamed = new Response(streamOf(this.#text), this);
        if (this.#isRead) void this.#streamed.body?.cancel();
      }
      return this.#streamed;
    }
  }
  return (text, init) => new TextResponse(text, init);
}

/** Platform streams never end if a test fakes `queueMicrotask`, as jest does. */
export function streamOf(body: string | Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      if (body.length > 0) controller.enqueue(bytesOf(body));
      controller.close();
    },
  });
}

export function bytesOf(body: string | Uint8Array): Uint8Array {
  return typeof body === "string" ? new TextEncoder().encode(body) : body;
}
