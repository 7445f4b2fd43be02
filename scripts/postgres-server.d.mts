/** A PostgreSQL server with its own files. */
export class PostgresServer {
  private constructor();
  static create(settings?: readonly string[]): Promise<PostgresServer>;
  readonly url: string;
  readonly port: number;
  createStandby(settings: readonly string[]): Promise<PostgresServer>;
  start(): Promise<void>;
  kill(): Promise<void>;
  freeze(): Promise<void>;
  thaw(): Promise<void>;
  readLog(): Promise<string>;
  promote(): Promise<void>;
  remove(): Promise<void>;
}
