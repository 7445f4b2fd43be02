/** A request from a socket or a `Request`. */
export interface IncomingRequest {
  readonly method: string;
  /** As the client named it, with a port or without; empty where it named none. */
  readonly host: string;
  /** Scheme and host. */
  readonly origin: string;
  /** Percent-encoded, from its first slash on. */
  readonly path: string;
  /** The query string without its question mark. */
  readonly search: string;
  /** A header by its name in lower case. */
  readonly header: (name: string) => string | undefined;
  /**
   * The whole body.
   *
   * @throws TwinbaseError `payload_too_large` beyond `maxBytes`, `invalid_request` for a body
   * that is cut short.
   */
  readonly readBytes: (maxBytes: number) => Promise<Uint8Array>;
  /** Returns a signal that aborts when the client disconnects. */
  readonly openSignal: () => AbortSignal;
}

/** A response before it is put on a socket or into a `Response`. */
export interface Answer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string | Uint8Array | undefined;
  /** In place of a body: sent as it comes, until the client goes away or the server closes. */
  readonly stream?: ReadableStream<Uint8Array> | undefined;
  /**
   * The connection ends after so many bytes of the body; −1, before there is any answer. Only an
   * injected fault does this.
   */
  readonly hangUpAfter?: number | undefined;
}

/** The answer of a route, serialized; without text and file it is empty. */
export interface Written {
  readonly status: number;
  readonly json?: string | undefined;
  readonly file?: PageFile | undefined;
  /** The header `server-timing`. */
  readonly timing?: string | undefined;
}

/** The answer of a route, whose body may be written yet. */
export interface Reply extends Written {
  readonly body?: unknown;
}

export interface PageFile {
  readonly text?: string | Uint8Array;
  readonly stream?: ReadableStream<Uint8Array>;
  /** Among them its `content-type`. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The body of a request: `{}` where it was absent (rule E-3). */
export type RequestBody = Readonly<Record<string, unknown>>;
