import { DurableObject } from "cloudflare:workers";
import { lazily } from "../core/lib/lazily.ts";
import { retryAfterMs } from "../core/schedule/retry.ts";
import { now } from "./runtime/clock.ts";
import { reportJobFault } from "./runtime/fault.ts";
import { reportMetricsSoon } from "./runtime/metrics-report.ts";

// Every isolate of the service has this class, and most never run it.
const scheduler = lazily(() => import("./scheduler.ts"));

/** The storage key of the project's id. It is stored because an alarm gets no arguments. */
const PROJECT = "project";
/** The storage key of the time since which the database has failed, epoch milliseconds. */
const FAILING_SINCE = "failing-since";

/**
 * A Durable Object that runs the planned changes of a project when they are due. The database has the
 * plan. The object has only an alarm for the next change; if the alarm is lost, the cron that runs
 * every minute calls `run`.
 */
export class SchedulerObject extends DurableObject<Env> {
  /** Wakes at a time (epoch milliseconds), unless an alarm is set for an earlier time. */
  async wake(projectId: number, at: number): Promise<void> {
    this.ctx.storage.kv.put(PROJECT, projectId);
    await this.#wakeAt(at);
  }

  /** Runs what is due now. */
  async run(projectId: number): Promise<void> {
    this.ctx.storage.kv.put(PROJECT, projectId);
    await this.alarm();
  }

  override async alarm(): Promise<void> {
    const { kv } = this.ctx.storage;
    const projectId = kv.get<number>(PROJECT);
    if (projectId === undefined) return;
    try {
      const { runPlanned } = await scheduler();
      const next = await runPlanned(this.env, projectId);
      kv.delete(FAILING_SINCE);
      if (next !== undefined) await this.#wakeAt(next);
    } catch (error) {
      reportJobFault("schedule", error);
      const since = kv.get<number>(FAILING_SINCE) ?? now();
      kv.put(FAILING_SINCE, since);
      await this.#wakeAt(now() + retryAfterMs(now() - since));
    }
    reportMetricsSoon(this.env, this.ctx);
  }

  async #wakeAt(at: number): Promise<void> {
    const { storage } = this.ctx;
    const set = await storage.getAlarm();
    if (set === null || at < set) await storage.setAlarm(at);
  }
}
