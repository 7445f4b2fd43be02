import type { Fetch } from "../http/web.js";

/** The requests that a double answers. */
export interface AnsweredRequests {
  readonly databaseURL: URL;
  /** Own hosts, with their subdomains. */
  readonly hosts: readonly string[];
  /** Whether requests to other hosts go to the real `fetch`. */
  readonly isPassing: boolean;
}

/** A double's place among all doubles of the process. */
export interface RoutedDouble {
  /** Answers own requests, and those that carry another double's key from that double. */
  readonly fetch: Fetch;
  /** Appended to an API key, identifies the double to the `fetch` of any other. */
  readonly keySuffix: string;
  readonly stub: () => void;
  readonly unstub: () => void;
  readonly close: () => void;
}

interface Member extends AnsweredRequests {
  readonly answer: Fetch;
}

/** Hosts of the service, with their subdomains. */
const SERVICE_HOSTS: readonly string[] = ["xata.sh", "api.xata.io"];

// Module state: the npm client keeps one `fetch` for all its instances, that of the latest request,
// so each double must find the others. A client holds its double's `fetch`, and so its `Member`.
const members = new Map<string, WeakRef<Member>>();
const collected = new FinalizationRegistry<string>((id) => members.delete(id));
let made = 0;

/** A replacement of the global `fetch`, for one or more doubles. */
interface Stub {
  /** The latest last. */
  readonly members: Member[];
  readonly realFetch: Fetch;
  readonly fetch: Fetch;
}

let stubbed: Stub | undefined;

export function routeFetch(service: Fetch, reach: AnsweredRequests): RoutedDouble {
  const id = String(++made);
  let isClosed = false;
  let stub: Stub | undefined;
  const member: Member = {
    ...reach,
    answer: async (input, init) => (isClosed ? refuseClosed() : service(input, init)),
  };
  members.set(id, new WeakRef(member));
  collected.register(member, id);
  const unstub = (): void => {
    if (stub === undefined) return;
    if (globalThis.fetch !== stub.fetch) {
      throw new Error("globalThis.fetch was replaced after stub(): undo that before unstub()");
    }
    stub.members.splice(stub.members.indexOf(member), 1);
    if (stub.members.length === 0) {
      globalThis.fetch = stub.realFetch;
      stubbed = undefined;
    }
    stub = undefined;
  };
  return {
    fetch: (input, init) => fetchAmong([member], stubbed?.realFetch, input, init),
    keySuffix: `~double-${id}`,
    stub() {
      if (isClosed) refuseClosed();
      if (stub !== undefined) return;
      if (globalThis.fetch !== stubbed?.fetch) {
        stubbed = createStub(globalThis.fetch);
        globalThis.fetch = stubbed.fetch;
      }
      stub = stubbed;
      stub.members.push(member);
    },
    unstub,
    close() {
      unstub();
      isClosed = true;
    },
  };
}

function createStub(realFetch: Fetch): Stub {
  const own: Member[] = [];
  const stub: Stub = {
    members: own,
    realFetch,
    fetch(input, init) {
      // A client may keep it for longer, and then reaches the doubles stubbed later.
      const { members, realFetch } = own.length > 0 ? stub : (stubbed ?? stub);
      return fetchAmong(members, realFetch, input, init);
    },
  };
  return stub;
}

async function fetchAmong(
  candidates: readonly Member[],
  realFetch: Fetch = globalThis.fetch,
  input: string | URL | Request,
  init: RequestInit = {},
): Promise<Response> {
  const request = input instanceof Request ? input : undefined;
  const url = new URL(request?.url ?? (input as string | URL));
  const headers = new Headers(init.headers ?? request?.headers);
  const [, key, id] = /^(.+)~double-(\d+)$/.exec(headers.get("authorization") ?? "") ?? [];
  if (key !== undefined && id !== undefined) {
    headers.set("authorization", key);
    const { answer } = members.get(id)?.deref() ?? refuseClosed();
    return answer(input, { ...init, headers });
  }
  const ranks = candidates.map((member) =>
    rankOf(member, url, (headers.get("host") ?? url.host).toLowerCase()),
  );
  const best = Math.max(0, ...ranks);
  const member = best === 0 ? undefined : candidates[ranks.lastIndexOf(best)];
  if (member !== undefined) return member.answer(input, init);
  const isRefused = candidates.length === 0 ? isWithin(url, SERVICE_HOSTS) : !isPassing(candidates);
  if (!isRefused) return realFetch(input, init);
  const method = init.method ?? request?.method ?? "GET";
  throw new Error(`${method} ${url.origin}${url.pathname}: ${whyRefused(candidates, url)}`);
}

function isPassing(candidates: readonly Member[]): boolean {
  return candidates.every((each) => each.isPassing);
}

/** How well a request's URL and header `Host` fit a double; 0: not at all. */
function rankOf({ databaseURL, hosts }: Member, url: URL, host: string): number {
  const isExact = host.replace(".upload.", ".") === databaseURL.host;
  if (!isExact && !isWithin(url, hosts)) return isWithin(url, SERVICE_HOSTS) ? 1 : 0;
  const [path, own] = [url.pathname, databaseURL.pathname];
  const isOwnDatabase = path.startsWith(own) && /^(?:[:/]|$)/.test(path.slice(own.length));
  return (isExact ? 4 : 2) + (isOwnDatabase ? 1 : 0);
}

/** Whether a URL's host is one of some, or a subdomain. */
function isWithin({ host, hostname }: URL, hosts: readonly string[]): boolean {
  return hosts.some((each) => host === each || hostname === each || hostname.endsWith(`.${each}`));
}

/** No test calls a real service by accident. */
function whyRefused(candidates: readonly Member[], { host }: URL): string {
  return candidates.length === 0
    ? "no double is stubbed; call stub() before the client is used"
    : `${host} is not a host of the service; allow it with otherHosts: "pass", or add it to hosts`;
}

function refuseClosed(): never {
  throw new Error("the double is closed; use a client of an open one");
}
