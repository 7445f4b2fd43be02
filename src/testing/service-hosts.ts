import type { Fetch } from "../http/web.js";

/** Hosts of the service, with their subdomains. */
const SERVICE_HOSTS: readonly string[] = ["xata.sh", "api.xata.io"];

export interface OtherHosts {
  readonly hosts: readonly string[];
  readonly answer: Fetch;
}

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

/** Rejects with the host's name, so no test accidentally calls a real service. */
export const refuseHost: Fetch = async (input, init) => {
  const request = input instanceof Request ? input : undefined;
  const { host, origin, pathname } = new URL(request?.url ?? (input as string | URL));
  const method = init?.method ?? request?.method ?? "GET";
  throw new Error(
    `${method} ${origin}${pathname}: ${host} is not a host of the service; ` +
      'allow it with otherHosts: "pass", or add it to hosts',
  );
};
