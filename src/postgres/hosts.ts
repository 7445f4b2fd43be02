/** Milliseconds between two looks for a standby that may be there again. */
const LOOK_AGAIN = 5_000;

/**
 * Which of several hosts takes writes, and which follows it. Both are found out at the beginning, and
 * again after a host has failed, as another may have been promoted since.
 */
export class Hosts {
  readonly #count: number;
  readonly #isStandby: (host: number) => Promise<boolean>;
  #primary = 0;
  #standby: number | undefined;
  #looking: Promise<void> | undefined;
  #lookedAt = Number.NEGATIVE_INFINITY;

  /** @param isStandby whether a host only follows; rejects where it does not answer */
  constructor(count: number, isStandby: (host: number) => Promise<boolean>) {
    this.#count = count;
    this.#isStandby = isStandby;
  }

  /** The host that took writes when it was last looked for. */
  async primary(): Promise<number> {
    await this.#looking;
    return this.#primary;
  }

  /** A host that follows, if one is known. */
  standby(): number | undefined {
    const isLongAgo = performance.now() - this.#lookedAt > LOOK_AGAIN;
    if (this.#standby === undefined && isLongAgo) void this.look();
    return this.#standby;
  }

  /** Looks which host is which, unless there is one alone. */
  look(): Promise<void> {
    if (this.#count === 1) return Promise.resolve();
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
      this.#lookedAt = performance.now();
    });
    return this.#looking;
  }

  async #look(): Promise<void> {
    const hosts = Array.from({ length: this.#count }, (_, host) => host);
    const answers = await Promise.allSettled(hosts.map((host) => this.#isStandby(host)));
    const are = (isStandby: boolean): number[] =>
      hosts.filter((host) => {
        const answer = answers[host];
        return answer?.status === "fulfilled" && answer.value === isStandby;
      });
    const primaries = are(false);
    if (!primaries.includes(this.#primary)) this.#primary = primaries[0] ?? this.#primary;
    this.#standby = are(true)[0];
  }
}

/** One address for each of the hosts that a connection string names. */
export function splitHosts(address: string): string[] {
  const [, before = "", hosts = "", after = ""] =
    /^(\w+:\/\/(?:[^/?#@]*@)?)([^/?#]*)(.*)$/s.exec(address) ?? [];
  return hosts.split(",").map((host) => `${before}${host}${after}`);
}
