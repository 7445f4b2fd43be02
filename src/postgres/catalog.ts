import type { BranchAddress } from "../catalog/address.js";
import { contentEvents, tableKeysIn } from "../catalog/events.js";
import type { CatalogState, DatabaseState, TableKey } from "../catalog/state.js";
import { EngineContext } from "../engine/context.js";
import { createEngineContents, type EngineContents, type EngineSetup } from "../engine/setup.js";
import { type AnyEngine, Engine } from "../engine.js";
import { refuse } from "../errors.js";
import type { Row } from "../sql/project.js";
import { statementOf } from "../sql/statement.js";
import type { TableVersion } from "../storage/table.js";
import type { Instant } from "../value/datetime.js";
import { BREAK_OFF_INDEXES } from "./advisor.js";
import { requireWorkers, WORKER_SILENT } from "./citus.js";
import {
  DamagedDocumentError,
  mapValues,
  readAccounts,
  readDatabaseDocument,
  requireIntact,
} from "./documents.js";
import { type Driver, deadlineOf, plain, type Session } from "./driver.js";
import type { RowForm } from "./flush.js";
import { ACCOUNTS, CATALOG, DOCUMENTS, databaseKey, gateOf, prepareLayout } from "./layout.js";
import { addConstraint, requireLinks } from "./link-constraints.js";
import { type Placement, readTables } from "./placement.js";
import { retry } from "./retry.js";
import {
  type ChangeContext,
  databasesOf,
  type SchemaChange,
  SchemaWriter,
} from "./schema-change.js";
import { type Answers, answerLinks, answerSteps, attempt, SchemaSteps } from "./schema-steps.js";
import { type Contents, documentsOf, requireDocuments, writeCatalog } from "./write-catalog.js";

type CatalogContents = Pick<EngineContents, "state" | "tables" | "tableKeys" | "tablesMade">;

type Fill = (session: Session, placements: Contents["placements"]) => Promise<void>;

/** Names, schemas and users: stored as documents, cached as an engine without records. */
export class Catalog {
  readonly context: EngineContext;
  readonly #driver: Driver;
  readonly #setup: EngineSetup;
  #contents: Contents;
  #lastChange: Promise<unknown> = Promise.resolve();
  #lastRead: Promise<unknown> = Promise.resolve();
  #nextRefresh: Promise<void> | undefined;

  private constructor(driver: Driver, setup: EngineSetup) {
    this.#driver = driver;
    this.#setup = setup;
    const contents = createEngineContents(setup);
    this.context = new EngineContext(setup, contents);
    this.#contents = {
      ...contents,
      placements: new Map(),
      damaged: new Map(),
      version: -1,
      namesMade: 0,
    };
  }

  static async open(driver: Driver, setup: EngineSetup): Promise<Catalog> {
    await retry(() => driver.transact("write", (session) => prepareLayout(session, driver)));
    const catalog = new Catalog(driver, setup);
    await catalog.refresh();
    return catalog;
  }

  get rowForm(): RowForm {
    return this.#driver.isCluster ? "values" : "lists";
  }

  get version(): number {
    return this.#contents.version;
  }

  /** Returns the location of a branch's rows; undefined if there is none. */
  placementOf({ workspace, database }: BranchAddress): Placement | undefined {
    return this.#contents.placements.get(databaseKey(workspace, database));
  }

  /** Throws `unavailable` if the document of a database is damaged, by default of any. */
  requireIntact(key?: string): void {
    requireIntact(this.#contents, key);
  }

  /** Reads the changes; callers share a read that has not begun. */
  refresh(): Promise<void> {
    this.#nextRefresh ??= this.#lastRead.then(async () => {
      this.#nextRefresh = undefined;
      const driver = this.#driver.within({ until: deadlineOf(this.#driver) });
      this.#adopt(await this.#read(driver, this.#contents));
    });
    this.#lastRead = this.#nextRefresh.catch(() => {});
    return this.#nextRefresh;
  }

  /** Applies all changes of `program` to the engine, or none. */
  change<T>(program: (engine: AnyEngine) => T | Promise<T>): Promise<T> {
    const now = this.context.clock.now();
    const driver = this.#driver.within({ until: deadlineOf(this.#driver) });
    const attempt = async (run: number): Promise<T> => {
      // Index builds block changes of a table for long.
      if (run > 0) await driver.query(BREAK_OFF_INDEXES);
      const { result, contents } = await driver.transact("write", async (session) => {
        const before = await this.#read(session, this.#contents, "for update");
        return this.#change(session, before, now, program);
      });
      this.#adopt(contents);
      return result;
    };
    // Between its runs, others have their turn.
    return retry(
      (run) => this.#inTurn(() => attempt(run)),
      driver.isCluster ? WORKER_SILENT : undefined,
    );
  }

  /** Imports a catalog; `fill` inserts the records. Throws `invalid_request` unless it is empty. */
  adopt(given: CatalogContents, fill: Fill): Promise<void> {
    return this.#inTurn(async () => {
      const contents = await retry(() =>
        this.#driver.transact("write", async (session) => {
          const before = await this.#read(session, this.#contents, "for update");
          requireIntact(before);
          const { usersMade, workspaces } = before.state;
          const [there] = workspaces.keys();
          if (there !== undefined) {
            refuse("invalid_request", `the database has workspace [${there}]: expected none`);
          }
          if (usersMade > 0) refuse("invalid_request", "the database has users: expected none");
          return this.#import(session, before, given, fill);
        }),
      );
      this.#adopt(contents);
    });
  }

  /**
   * Runs a program without rows and does its steps in order. If rows break what one requires, all is
   * undone, and the program runs again with that answer: it refuses the step as one in memory does (E-6).
   */
  async #change<T>(
    session: Session,
    known: Contents,
    now: number,
    program: (engine: AnyEngine) => T | Promise<T>,
  ): Promise<{ result: T; contents: Contents }> {
    const answers: Answers = new Map();
    for (;;) {
      const { nextId, randomOrders } = this.context;
      const context = new EngineContext(this.#setup, { ...known, nextId }, randomOrders);
      context.clock.set(now);
      const steps = new SchemaSteps(answers);
      context.remote = steps;
      context.feed.sink = steps;
      const outcome = await attempt(() => program(new Engine(context)));
      const { isPending } = steps;
      if ("error" in outcome && !isPending) throw outcome.error;
      const after = context.share();
      if (!isPending && after.state === known.state && "value" in outcome) {
        return { result: outcome.value, contents: known };
      }
      await this.#lock(session, steps.databasesAmong([...known.placements.keys()]), known);
      if (isPending) await session.query(plain("savepoint steps"));
      const naming = this.#naming(known, context.now());
      const writer = new SchemaWriter(known, naming);
      if (!(await answerSteps(session, writer, steps, answers))) {
        if ("error" in outcome) throw outcome.error;
        const change = writer.finish(after, this.#checksLinks);
        await this.#constrain(session, change);
        if (!(await answerLinks(session, { writer, change }, steps, answers))) {
          const { namesMade } = naming;
          const contents = await this.#write(session, known, after, { change, namesMade });
          return { result: outcome.value, contents };
        }
      }
      await session.query(plain("rollback to savepoint steps"));
    }
  }

  /** Writes the contents of a catalog into an empty one. */
  async #import(
    session: Session,
    known: Contents,
    given: CatalogContents,
    fill: Fill,
  ): Promise<Contents> {
    const naming = this.#naming(known, this.context.now());
    const writer = new SchemaWriter(known, naming);
    for (const event of contentEvents(given.state)) {
      const isTable = event.kind === "created" && event.entity === "table";
      const key = isTable ? (event.value as TableKey) : 0; // by its kind
      const version = given.tables.get(key)!; // the catalog only has keys of these
      const made = isTable
        ? ({ kind: "table_created", at: event.at, key, version } as const)
        : event;
      for (const statement of writer.write(made)) await session.query(statement);
    }
    const change = writer.finish(given, this.#checksLinks);
    await fill(session, change.placements);
    await this.#constrain(session, change);
    for (const constraint of change.constraints) await requireLinks(session, constraint);
    const { namesMade } = naming;
    const contents = await this.#write(session, known, given, { change, namesMade });
    await requireDocuments(session, documentsOf(this.#setup, known, contents, change.changed));
    return contents;
  }

  get #checksLinks(): boolean {
    return this.#setup.profile.links === "checked";
  }

  #naming(known: Contents, now: Instant): ChangeContext & { namesMade: number } {
    const { isCluster } = this.#driver;
    const { profile } = this.#setup;
    const nextName = (): number => ++naming.namesMade;
    const naming = { ...known, version: known.version + 1, isCluster, profile, now, nextName };
    return naming;
  }

  async #constrain(session: Session, { statements, constraints }: SchemaChange): Promise<void> {
    const added = constraints.flatMap((one) => addConstraint(one, this.#driver.dialect));
    for (const statement of [...statements, ...added]) await session.query(statement);
  }

  async #write(
    session: Session,
    known: Contents,
    { state, tables, tablesMade, tableKeys }: CatalogContents,
    { change, namesMade }: { readonly change: SchemaChange; readonly namesMade: number },
  ): Promise<Contents> {
    const contents = {
      state,
      tables,
      tableKeys,
      placements: change.placements,
      damaged: known.damaged,
      version: known.version + 1,
      tablesMade,
      namesMade,
    };
    for (const statement of writeCatalog(this.#setup, known, contents, change))
      await session.query(statement);
    return contents;
  }

  /** Locks databases before their tables. */
  async #lock(session: Session, keys: ReadonlySet<string>, known: Contents): Promise<void> {
    for (const key of keys) requireIntact(known, key);
    if (keys.size > 0) await requireWorkers(this.#driver);
    for (const key of keys) {
      const placement = known.placements.get(key);
      if (placement === undefined) continue;
      await session.query(plain(`lock table ${gateOf(placement.schema)} in access exclusive mode`));
    }
  }

  async #read(session: Session, known: Contents, lock = ""): Promise<Contents> {
    const [now] = await session.query(plain(`select version from ${CATALOG} ${lock}`));
    if (Number(now?.[0]) === known.version) return known;
    const rows = await session.query(
      statementOf(
        (bind) =>
          `select c.version, c.tables_made, c.names_made, d.key, d.version, d.place, d.schema, d.tables, case when d.version > ${bind(String(known.version), "bigint")} then d.content end from ${CATALOG} c left join ${DOCUMENTS} d on true order by d.place`,
      ),
    );
    return this.#assemble(known, rows);
  }

  #assemble(known: Contents, rows: readonly Row[]): Contents {
    const [version, tablesMade, namesMade] = (rows[0] ?? []).map(Number);
    const databases = new Map<string, Map<string, DatabaseState>>();
    const placements = new Map<string, Placement>();
    const damaged = new Map<string, unknown>();
    const were = databasesOf(known.state);
    const tables = new Map<TableKey, TableVersion>();
    let { tableKeys } = known;
    const add = (table: TableVersion): TableKey => {
      tables.set(++tableKeys, table);
      return tableKeys;
    };
    let accounts: CatalogState = known.state;
    for (const [, , , key, written, number, schema, names, content] of rows) {
      if (key == null) continue;
      if (key === ACCOUNTS) {
        if (content != null) accounts = readAccounts(this.#setup, content);
        continue;
      }
      const slash = key.indexOf("/");
      const [workspace, name] = [key.slice(0, slash), key.slice(slash + 1)];
      let database = were.get(key);
      const fault = known.damaged.get(key);
      if (content == null && fault !== undefined) damaged.set(key, fault);
      if (content != null) {
        try {
          database = readDatabaseDocument(this.#setup, content, add);
        } catch (error) {
          if (!(error instanceof DamagedDocumentError)) throw error;
          damaged.set(key, error);
          continue;
        }
      }
      if (database === undefined) continue;
      for (const table of tableKeysIn("database", database)) {
        tables.set(table, tables.get(table) ?? known.tables.get(table)!); // read now or before
      }
      const inWorkspace = databases.get(workspace) ?? new Map<string, DatabaseState>();
      databases.set(workspace, inWorkspace.set(name, database));
      placements.set(key, {
        schema: schema ?? "",
        version: Number(written),
        number: Number(number),
        tables: readTables(names ?? "[]"),
      });
    }
    const workspaces = mapValues(accounts.workspaces, (workspace, id) => ({
      ...workspace,
      databases: databases.get(id) ?? new Map<string, DatabaseState>(),
    }));
    const state = { ...accounts, workspaces };
    return {
      state,
      tables,
      tableKeys,
      placements,
      damaged,
      version: version ?? 0,
      tablesMade: tablesMade ?? 0,
      namesMade: namesMade ?? 0,
    };
  }

  /** Reads and changes end in any order. */
  #adopt(contents: Contents): void {
    if (contents.version <= this.#contents.version) return;
    this.#contents = contents;
    const { nextId } = this.context;
    this.context.write(() => this.context.restore({ ...contents, nextId }));
  }

  #inTurn<T>(act: () => Promise<T>): Promise<T> {
    const done = this.#lastChange.then(act);
    this.#lastChange = done.catch(() => {});
    return done;
  }
}
