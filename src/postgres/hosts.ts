import { SETTINGS } from "./driver.js";

const LOOK_AGAIN = 5_000;

/** Finds the primary and a standby, again after failures, as a standby may have been promoted. */
export class Hosts {
  readonly #count: number;
  readonly #isStandby: (host: number) => Promise<boolean>;
  #primary = 0;
  #standby: number | undefined;
  #looking: Promise<void> | undefined;
  #lookedAt = Number.NEGATIVE_INFINITY;

  /** @param isStandby rejects if the host does not answer */
  constructor(count: number, isStandby: (host: number) => Promise<boolean>) {
    this.#count = count;
    this.#isStandby = isStandby;
  }

  async primary(): Promise<number> {
    await this.#looking;
    return this.#primary;
  }

  standby(): number | undefined {
    const isLongAgo = performance.now() - this.#lookedAt > LOOK_AGAIN;
    if (this.#standby === undefined && isLongAgo) void this.look();
    return this.#standby;
  }

  /** Determines the roles of all hosts, unless there is only one. */
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

export function splitHosts(address: string): string[] {
  const [, before = "", hosts = "", after = ""] =
    /^(\w+:\/\/(?:[^/?#@]*@)?)([^/?#]*)(.*)$/s.exec(address) ?? [];
  return hosts.split(",").map((host) => `${before}${host}${after}`);
}

/** Adds the session settings to a connection string. */
export function withSettings(address: string): string {
  const settings = Object.entries(SETTINGS).map(([name, value]) => `-c ${name}=${value}`);
  const options = encodeURIComponent(settings.join(" "));
  const [, before, after] = /^([^?]*\?(?:.*&)?options=[^&#]*)(.*)$/s.exec(address) ?? [];
  if (before !== undefined) return `${before}%20${options}${after}`;
  return `${address}${address.includes("?") ? "&" : "?"}options=${options}`;
}
