/** A request from a socket or a `Request`. */
export interface IncomingRequest {
  readonly method: string;
  /** The host header, with or without port; empty if absent. */
  readonly host: string;
  /** Scheme and host. */
  readonly origin: string;
  /** The path, percent-encoded, with leading slash. */
  readonly path: string;
  /** The query string without its question mark. */
  readonly search: string;
  /** Returns a header by its lower-case name. */
  readonly header: (name: string) => string | undefined;
  /**
   * Reads the whole body.
   *
   * @throws TwinbaseError `payload_too_large` beyond `maxBytes`, `invalid_request` for a
   * truncated body.
   */
  readonly readBytes: (maxBytes: number) => Promise<Uint8Array>;
  /** Resolves when the transport may have room for an answer; undefined if it has room now. */
  readonly room?: () => Promise<void> | undefined;
  /** Charges an answer's body until it is sent. */
  readonly hold?: (body: Answer["body"]) => void;
  /** Returns a signal that aborts when the client disconnects. */
  readonly openSignal: () => AbortSignal;
}

/** A response, independent of the transport. */
export interface Answer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string | Uint8Array | undefined;
  /** Replaces the body: streamed until the client disconnects or the server closes. */
  readonly stream?: ReadableStream<Uint8Array> | undefined;
  /** The error of a failed request, for logs: it is not sent. */
  readonly error?: unknown;
  /**
   * Ends the connection after this number of bytes of the body; −1 for no answer at all. Set by
   * injected faults only.
   */
  readonly hangUpAfter?: number | undefined;
}

/** A serialized answer; empty without JSON, content and stream. */
export interface RawReply {
  readonly status: number;
  readonly json?: string | undefined;
  readonly content?: string | Uint8Array;
  readonly stream?: ReadableStream<Uint8Array>;
  /** Headers of content or a stream, including `content-type`. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly timing?: string | undefined;
}

/** The answer of a route, before serialization. */
export interface Reply extends RawReply {
  readonly body?: unknown;
}

/** The body of a request; `{}` if absent (rule E-3). */
export type RequestBody = Readonly<Record<string, unknown>>;
