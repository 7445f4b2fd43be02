import type { Fetch } from "../http/web.js";

/** Where the service is: these hosts, and all below them. */
const SERVICE_HOSTS: readonly string[] = ["xata.sh", "api.xata.io"];

/** Requests to other hosts. */
export interface OtherHosts {
  /** Hosts that are the service too; each stands for those below it as well. */
  readonly hosts: readonly string[];
  /** Answers requests to all others. */
  readonly answer: Fetch;
}

/** A fetch that answers requests to the service, and leaves those to other hosts to another. */
export function fetchFor(service: Fetch, { hosts, answer }: OtherHosts): Fetch {
  const own = [...SERVICE_HOSTS, ...hosts];
  return async (input, init) => {
    const { host, hostname } = new URL(input instanceof Request ? input.url : input);
    const isOwn = own.some(
      (each) => host === each || hostname === each || hostname.endsWith(`.${each}`),
    );
    return isOwn ? service(input, init) : answer(input, init);
  };
}

/** Rejects, naming the host, so that no test waits for a service that it forgot. */
export const refuseHost: Fetch = async (input, init) => {
  const request = input instanceof Request ? input : undefined;
  const { host, origin, pathname } = new URL(request?.url ?? (input as string | URL));
  const method = init?.method ?? request?.method ?? "GET";
  throw new Error(
    `${method} ${origin}${pathname}: ${host} is not the service that this double stands for; ` +
      'let it through with otherHosts: "pass", or name it in hosts',
  );
};
