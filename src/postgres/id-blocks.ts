import { statementOf } from "../sql/statement.js";
import { firstIdAt } from "../value/id.js";
import { type Driver, plain } from "./driver.js";
import { IDS } from "./layout.js";

const SECOND: number = firstIdAt(1000);
const LEASE: number = 60 * SECOND;

/**
 * Numbers generated ids by time, so that ids of all processes sort together. A stored mark is above all
 * numbers, so that they also ascend if the clock is turned back between two openings.
 */
export class IdBlocks {
  readonly #driver: Driver;
  #next: number;
  /** Stored; 0 until the first write. */
  #mark = 0;
  #lease: Promise<void> | undefined;

  private constructor(driver: Driver, mark: number) {
    this.#driver = driver;
    // Within a second, ids of two openings sort by their tails.
    this.#next = Math.ceil(mark / SECOND) * SECOND;
  }

  static async open(driver: Driver): Promise<IdBlocks> {
    const [row] = await driver.query(plain(`select next from ${IDS}`));
    return new IdBlocks(driver, Number(row?.[0]));
  }

  next(now: number): number {
    return Math.max(this.#next, firstIdAt(now));
  }

  /** Takes the numbers before `next`. */
  commit(next: number): void {
    this.#next = Math.max(this.#next, next);
  }

  /** Gives numbers back, unless others have taken the next ones. */
  release(first: number, next: number): void {
    if (this.#next === next) this.#next = first;
  }

  /** Moves the mark a minute ahead unless half of that is left. Writes wait for it. */
  async lease(now: number): Promise<void> {
    const next = this.next(now);
    if (next + LEASE / 2 <= this.#mark) return;
    this.#lease ??= this.#move(next + LEASE).finally(() => {
      this.#lease = undefined;
    });
    await this.#lease;
  }

  /** Returns the rest of a lease, unless another process has moved the mark. */
  async close(): Promise<void> {
    if (this.#mark === 0) return;
    await this.#driver.query(
      statementOf(
        (bind) =>
          `update ${IDS} set next = ${bind(String(this.#next), "bigint")} where next = ${bind(String(this.#mark), "bigint")}`,
      ),
    );
  }

  async #move(mark: number): Promise<void> {
    await this.#driver.query(
      statementOf(
        (bind) => `update ${IDS} set next = greatest(next, ${bind(String(mark), "bigint")})`,
      ),
    );
    this.#mark = mark;
  }
}
