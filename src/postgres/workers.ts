import { type Driver, deadlineOf, plain } from "./driver.js";
import { DOCUMENTS } from "./layout.js";
import { retry } from "./retry.js";
import type { Owner } from "./slots.js";

/** Milliseconds after which the places are read again: databases move between workers. */
const KEPT = 10_000;

/** Only tables of the coordinator. */
const READ_PLACES = plain(
  `select d.key, min(p.groupid) from ${DOCUMENTS} d join pg_dist_shard s on s.logicalrelid = to_regclass(d.schema || '.version') join pg_dist_placement p using (shardid) group by d.key`,
);

/** Finds the workers of a cluster's databases: calls share connections by the server that they wait for. */
export class Workers {
  readonly #driver: Driver;
  #places: ReadonlyMap<string, string> = new Map();
  #count = 0;
  #readAt = Number.NEGATIVE_INFINITY;

  private constructor(driver: Driver) {
    this.#driver = driver;
  }

  static async open(driver: Driver): Promise<Workers> {
    const workers = new Workers(driver);
    if (driver.isCluster) await retry(() => workers.#read());
    return workers;
  }

  /** Returns the worker of a database; the database itself if there is no cluster or it is new. */
  ownerOf(key: string): Owner {
    if (this.#driver.isCluster && performance.now() - this.#readAt > KEPT) {
      this.#read().catch(() => {});
    }
    return { name: this.#places.get(key) ?? key, peers: this.#count };
  }

  async #read(): Promise<void> {
    this.#readAt = performance.now();
    const rows = await this.#driver.within({ until: deadlineOf(this.#driver) }).query(READ_PLACES);
    this.#places = new Map(rows.map(([key, group]) => [key ?? "", `worker ${group}`]));
    this.#count = new Set(this.#places.values()).size;
  }
}
