/** A request to an operation, good or derived from a good one. */
export interface SampleRequest {
  readonly kind?: string;
  readonly operation: string;
  readonly method: string;
  readonly url: string;
  readonly body?: string | Uint8Array<ArrayBuffer>;
}

export interface Operation {
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  readonly takesJson: boolean;
}

type Ask = (url: string, init?: RequestInit) => Promise<Response>;
type Names = Record<string, string>;

export function listOperations(ask: Ask): Promise<Operation[]>;
export function openWorld(ask: Ask): Promise<Names>;
export function readNames(ask: Ask): Promise<Names>;
export function createRequests(
  operations: readonly Operation[],
  names: Names,
  seed: number,
): Generator<SampleRequest, never>;
