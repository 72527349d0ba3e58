import { DurableObject } from "cloudflare:workers";
import { lazily } from "../../core/lib/lazily.ts";
import { HOUR_MS } from "../../core/lib/time.ts";
import type { InstanceFilter, SeenInstance } from "../../core/usage/presence.ts";
import { type Propagated, type Reach, reach } from "../../core/usage/propagation.ts";
import type { InstanceUsage } from "../../core/usage/usage-entries.ts";
import type {
  FlagHour,
  InstanceHour,
  InstanceUsageFilter,
  UnwrittenFilter,
  UnwrittenHour,
} from "../../core/usage/usage-state.ts";
import { KEEP_INSTANCE_HOURS_MS } from "../../core/usage/retention.ts";
import { UsageStore } from "../../core/usage/usage-store.ts";
import { now, wait } from "../runtime/clock.ts";
import { reportJobFault } from "../runtime/fault.ts";
import { reportMetricsSoon } from "../runtime/metrics-report.ts";
import { settings } from "../runtime/settings.ts";
import { projectOf } from "./usage-objects.ts";

// Every isolate of the service has this class, and most never write usage.
const usageModule = lazily(() => import("../bindings/usage-database.ts"));

const newId = () => crypto.randomUUID();

/** The storage key of the object's name. The name is stored because an alarm does not get it. */
const NAME = "name";

/**
 * The tables of the object. `instance_hours` has few, long rows. It has no index: a scan does not
 * read the bodies of the rows, and an index would double the number of rows written.
 */
const TABLES = `
  CREATE TABLE IF NOT EXISTS log (id INTEGER PRIMARY KEY, body TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS instance_hours (environment_id INTEGER NOT NULL, hour INTEGER NOT NULL,
    first_id TEXT NOT NULL, last_id TEXT NOT NULL, body TEXT NOT NULL);`;

/**
 * A Durable Object that adds up the usage of a project: how often its flags were evaluated, and which
 * SDK instances were seen. It writes completed hours to the database.
 */
export class UsageObject extends DurableObject<Env> {
  readonly #sql: SqlStorage;
  readonly #store: UsageStore;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#sql = ctx.storage.sql;
    this.#sql.exec(TABLES);
    const database = async () => (await usageModule()).usageDatabase(env);
    this.#store = new UsageStore(
      {
        now,
        wait,
        newId,
        storage: {
          rows: () => this.#rows(),
          append: (rows) => ctx.storage.transactionSync(() => this.#append(rows)),
          replace: (rows, completed) =>
            ctx.storage.transactionSync(() => this.#replace(rows, completed)),
          clear: async () => {
            await ctx.storage.deleteAll();
            this.#sql.exec(TABLES);
          },
        },
        alarm: {
          get: () => ctx.storage.getAlarm(),
          set: (at) => ctx.storage.setAlarm(at),
        },
        database: {
          projectExists: async () => (await database()).projectExists(this.#projectId()),
          writeHour: async (write) => (await database()).writeHour(write),
          writeUses: async (uses) => (await database()).writeUses(this.#projectId(), uses),
        },
        fault: reportJobFault,
      },
      settings(env).usage.saveMs,
    );
  }

  /**
   * Adds batches of isolates, as JSON of `UsageBatch`, and deleted flags, as JSON of `DeletedFlags`,
   * and resolves once they are stored. A repeated batch is counted once.
   */
  async add(batches: readonly string[]): Promise<void> {
    const { kv } = this.ctx.storage;
    if (kv.get(NAME) === undefined) kv.put(NAME, this.ctx.id.name);
    await this.#store.add(batches);
    reportMetricsSoon(this.env, this.ctx);
  }

  override async alarm(): Promise<void> {
    await this.#store.onAlarm();
    reportMetricsSoon(this.env, this.ctx);
  }

  async unwritten(filter: UnwrittenFilter): Promise<UnwrittenHour[]> {
    return this.#store.state().unwritten(filter, newId);
  }

  async instanceUsage(filter: InstanceUsageFilter): Promise<FlagHour[]> {
    const state = this.#store.state();
    return [...this.#completedUsage(filter), ...state.instanceUsage(filter)];
  }

  async instances(filter: InstanceFilter, limit: number): Promise<SeenInstance[]> {
    return this.#store.state().presence.list(filter, { limit, now: now() });
  }

  async reach(propagated: Propagated, limit: number): Promise<Reach> {
    const instances = this.#store.state().presence.newest(propagated.environmentId);
    return reach(instances, propagated, { limit });
  }

  /**
   * Returns the id of the project. Throws: Error when the name of the object is unknown, so that no
   * project is mistaken for a deleted one.
   */
  #projectId(): number {
    const id = projectOf(this.ctx.id.name ?? this.ctx.storage.kv.get<string>(NAME) ?? "");
    if (!Number.isInteger(id)) throw new Error("The name of this usage object is unknown");
    return id;
  }

  *#rows(): Generator<string> {
    for (const { body } of this.#sql.exec<{ body: string }>("SELECT body FROM log ORDER BY id"))
      yield body;
  }

  #append(rows: Iterable<string>): void {
    for (const row of rows) this.#sql.exec("INSERT INTO log (body) VALUES (?)", row);
  }

  #replace(rows: Iterable<string>, completed: readonly InstanceHour[]): void {
    this.#sql.exec("DELETE FROM log");
    this.#append(rows);
    this.#sql.exec(
      "DELETE FROM instance_hours WHERE hour < ?",
      now() - KEEP_INSTANCE_HOURS_MS - HOUR_MS,
    );
    for (const { environmentId, hour, instances } of completed)
      this.#sql.exec(
        `INSERT INTO instance_hours (environment_id, hour, first_id, last_id, body)
          VALUES (?, ?, ?, ?, ?)`,
        environmentId,
        hour,
        instances[0]?.[1] ?? "",
        instances.at(-1)?.[1] ?? "",
        JSON.stringify(instances),
      );
  }

  /** Returns the usage of a flag by an SDK instance, in completed hours. */
  #completedUsage({ environmentIds, from, to, ...filter }: InstanceUsageFilter): FlagHour[] {
    const { instanceId, appName, flagKey } = filter;
    const rows = this.#sql.exec<{ hour: number; body: string }>(
      `SELECT hour, body FROM instance_hours
        WHERE environment_id IN (SELECT value FROM json_each(?)) AND hour BETWEEN ? AND ?
          AND first_id <= ? AND last_id >= ?`,
      JSON.stringify(environmentIds),
      Math.max(from, now() - KEEP_INSTANCE_HOURS_MS - HOUR_MS),
      to,
      instanceId,
      instanceId,
    );
    const found: FlagHour[] = [];
    for (const { hour, body } of rows)
      for (const [app, instance, usage] of JSON.parse(body) as InstanceUsage[])
        if (instance === instanceId && (appName === undefined || app === appName))
          for (const flag of usage) if (flag[0] === flagKey) found.push({ hour, usage: flag });
    return found;
  }
}
