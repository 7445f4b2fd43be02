import { type Signal, signal } from "@preact/signals";
import { trackRequest } from "./busy.js";

/** An error response of the service. */
export class ServiceError extends Error {
  readonly status: number;
  readonly code: string | undefined;
  /** JSON Pointer into the request. */
  readonly path: string | undefined;
  readonly rule: string | undefined;

  constructor(status: number, body: Readonly<Record<string, unknown>>) {
    // The profile `xata` has the service's texts as messages, and more in `detail` or `details`.
    const [first] = (body.details ?? body.errors ?? []) as Readonly<Record<string, unknown>>[];
    const { detail, message, code, path, rule } = { ...body, ...first };
    const place = ` (at ${String(path)}, rule ${String(rule)})`;
    const text = detail ?? message;
    super(typeof text === "string" ? text.replace(place, "") : `the service answered ${status}`);
    this.status = status;
    this.code = code as string | undefined;
    this.path = path as string | undefined;
    this.rule = rule as string | undefined;
  }

  /** The error, with operations counted from the first request. */
  shiftOperations(before: number): ServiceError {
    const { status, message, code, rule } = this;
    const path = this.path?.replace(
      /^(\/operations\/)(\d+)/,
      (_, head, index) => `${head}${Number(index) + before}`,
    );
    return new ServiceError(status, { message, code, path, rule });
  }
}

const KEY = "twinbase-key";

/** The API key of requests; stored for the tab's session. */
export const key: Signal<string> = signal<string>(readKey());
/** Whether the service rejected the key or its absence. */
export const needsKey: Signal<boolean> = signal(false);

export function setKey(value: string): void {
  key.value = value;
  needsKey.value = false;
  if (value === "") sessionStorage.removeItem(KEY);
  else sessionStorage.setItem(KEY, value);
}

function readKey(): string {
  return typeof sessionStorage === "undefined" ? "" : (sessionStorage.getItem(KEY) ?? "");
}

/** The mount path of the service, with a trailing slash. */
function rootOf(pathname: string): string {
  return pathname.replace(/_twinbase\/[^/]*$/, "").replace(/\/ws\/[^/]+\/[^/]+\/$/, "/");
}

const root = typeof location === "undefined" ? "/" : rootOf(location.pathname);

export interface CallOptions {
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
  /** Lets the request outlive the page. */
  readonly keepalive?: boolean;
}

/** Calls a control route, such as `clock`; resolves with undefined for an empty response. */
export function control<T>(method: string, path: string, options?: CallOptions): Promise<T> {
  return send(method, `${controlPath()}${path}`, options);
}

/** Calls a control route of a workspace. */
export function controlIn<T>(
  workspace: string,
  method: string,
  path: string,
  options?: CallOptions,
): Promise<T> {
  return send(method, `${controlPath(workspace)}${path}`, options);
}

/** Opens the stream of a control route. */
export async function openStream(
  workspace: string | undefined,
  method: string,
  path: string,
  options: CallOptions,
): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  const answer = await ask(method, `${controlPath(workspace)}${path}`, options);
  if (!answer.ok || answer.body === null) throw new ServiceError(answer.status, {});
  return answer.body;
}

/** Calls the service, bypassing faults and journal. */
export function service<T>(
  workspace: string | undefined,
  method: string,
  path: string,
  options?: CallOptions,
): Promise<T> {
  return workspace === undefined
    ? control(method, `service/${path}`, options)
    : controlIn(workspace, method, `service/${path}`, options);
}

function controlPath(workspace?: string): string {
  const at = workspace === undefined ? "" : `ws/${encodeURIComponent(workspace)}/local/`;
  return `${root}${at}_twinbase/`;
}

function keyHeader(): Record<string, string> {
  return key.value === "" ? {} : { authorization: `Bearer ${key.value}` };
}

function send<T>(method: string, url: string, options?: CallOptions): Promise<T> {
  return trackRequest(sendNow(method, url, options));
}

function ask(
  method: string,
  url: string,
  { body, signal, keepalive }: CallOptions = {},
): Promise<Response> {
  return fetch(url, {
    method,
    headers: { ...keyHeader(), ...(body !== undefined && { "content-type": "application/json" }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
    ...(keepalive && { keepalive }),
  });
}

async function sendNow<T>(method: string, url: string, options?: CallOptions): Promise<T> {
  const answer = await ask(method, url, options);
  const text = await answer.text();
  const read = (text === "" ? undefined : JSON.parse(text)) as T;
  if (answer.ok) return read;
  if (answer.status === 401 && (read as { code?: string }).code === "unauthorized") {
    needsKey.value = true;
  }
  throw new ServiceError(answer.status, read ?? {});
}

/** Repeats a request of the journal; returns the status of its response. */
export async function replay(call: {
  readonly method: string;
  readonly path: string;
  readonly search: string;
  readonly workspace?: string | undefined;
  readonly request?: unknown;
}): Promise<number> {
  const { method, path, search, workspace, request } = call;
  // A workspace named by the host must be named by the path here.
  const isNamed = workspace === undefined || /^\/(?:ws|workspaces)\//.test(path);
  const at = isNamed
    ? `${root}${path.slice(1)}`
    : servicePath(workspace, false, path.replace(/^\//, ""));
  const isJson = typeof request !== "string";
  const body = isJson ? JSON.stringify(request) : request;
  const answer = await fetch(`${at}${search === "" ? "" : `?${search}`}`, {
    method,
    headers: { ...keyHeader(), ...(isJson && body && { "content-type": "application/json" }) },
    ...(body !== undefined && { body }),
  });
  await answer.arrayBuffer();
  return answer.status;
}

/** The public path of the service; names the workspace only if several have the database. */
export function servicePath(workspace: string, isOnly: boolean, path: string): string {
  return isOnly ? `${root}${path}` : `${root}ws/${encodeURIComponent(workspace)}/local/${path}`;
}

/** The path of a table, relative to the service. */
export function tablePath(database: string, branch: string, table: string): string {
  return `${branchPath(database, branch)}/tables/${encodeURIComponent(table)}`;
}

export function branchPath(database: string, branch: string): string {
  return `db/${encodeURIComponent(database)}:${encodeURIComponent(branch)}`;
}
