import type { ClientPorts, EdgeStore } from "../client/sources/ports.ts";
import { isReportDue } from "../core/api-keys/revoked-report.ts";
import { lazily } from "../core/lib/lazily.ts";
import { background, type Background, type Request } from "./background.ts";
import { openSession } from "./bindings/database.ts";
import { edgeStore } from "./bindings/edge-store.ts";
import { failureLimit } from "./caller-limits.ts";
import { now, wait } from "./runtime/clock.ts";
import { requestFaultReporter } from "./runtime/fault.ts";
import { observeQuery } from "./runtime/metrics.ts";
import { streamPorts } from "./objects/streams.ts";
import { usagePorts } from "./objects/usage-objects.ts";

// Only the report of a revoked key needs it.
const deps = lazily(() => import("./deps.ts"));

/**
 * Returns the ports of the client API for one request. `store`: reads and writes KV; by default, in
 * the current format.
 */
export const clientPorts = (
  env: Env,
  ctx: Background,
  request: () => Request,
  store?: EdgeStore,
): ClientPorts => new RequestPorts(env, ctx, request, store);

/**
 * The ports of the client API for one request. This is a class, because an object of functions would
 * make a dozen functions for each poll.
 */
class RequestPorts implements ClientPorts {
  readonly #env: Env;
  readonly #ctx: Background;
  readonly #request: () => Request;
  readonly #store: EdgeStore | undefined;

  constructor(env: Env, ctx: Background, request: () => Request, store: EdgeStore | undefined) {
    this.#env = env;
    this.#ctx = ctx;
    this.#request = request;
    this.#store = store;
  }

  now(): number {
    return now();
  }

  wait(ms: number): Promise<void> {
    return wait(ms);
  }

  openSession(from: Parameters<ClientPorts["openSession"]>[0]) {
    return openSession(this.#env.DB, from, observeQuery);
  }

  get store(): EdgeStore {
    return this.#store ?? edgeStore(this.#env.EDGE);
  }

  get usage() {
    return usagePorts(this.#env);
  }

  get streams() {
    return streamPorts(this.#env, () => this.#request().ip);
  }

  get rates() {
    return { key: this.#env.CLIENT_KEY_RATE, browser: this.#env.CLIENT_BROWSER_RATE };
  }

  failures() {
    return failureLimit(this.#env, this, this.#request().ip);
  }

  later(work: Promise<unknown>): void {
    background(this.#env, this.#ctx, this.#request)(work);
  }

  fault(what: string, error: unknown): void {
    requestFaultReporter(this.#request)(what, error);
  }

  async reportRevoked(hash: string, reportedAt: number | null): Promise<void> {
    if (!isReportDue(reportedAt, now())) return;
    const request = this.#request();
    const { recordRevoked } = await deps();
    // Deletes the revoked key from KV, too. Otherwise the client API would accept the copy in KV
    // while the database is unavailable.
    if (await recordRevoked(this.#env, this.#ctx, { request, hash }))
      await this.store.deleteKey(hash);
  }
}
