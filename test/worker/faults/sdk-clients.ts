import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { isDeepStrictEqual } from "node:util";
import { MAX_LEASE_MS, STORE_TIMEOUT_MS } from "../../../src/client/keys/leases.ts";
import { BUILD_TIMEOUT_MS } from "../../../src/client/rules/rule-loader.ts";
import type { ClientRule } from "@feature-flags/evaluation/rule";
import worker from "../../../src/worker.ts";
import { type CallOptions, type Json, request } from "../support/client.ts";
import { sleep } from "../support/faulty-bindings.ts";
import { evaluateLocally } from "../support/sdk.ts";
import { type Modelled, newestAt } from "./model.ts";

/**
 * The greatest allowed age of rules without a `Warning` header, milliseconds. The sum of the
 * longest time between two key checks, the timeout of the KV read and the timeout of the build of
 * the rules.
 */
const FRESH_MS = MAX_LEASE_MS + STORE_TIMEOUT_MS + BUILD_TIMEOUT_MS;

/**
 * The greatest allowed age of rules with a `Warning` header, milliseconds: FRESH_MS plus 30 s,
 * because KV's cache may return a snapshot that is 30 s old.
 */
const STALE_MS = 30_000 + FRESH_MS;

const contexts: ExecutionContext[] = [];

/** Sends one request and returns its response. `settled` waits for the work after the response. */
export async function ask(env: Env, method: string, path: string, options: CallOptions = {}) {
  const context = createExecutionContext();
  contexts.push(context);
  const answer = await worker.fetch(request(method, path, options), env, context);
  const text = await answer.text();
  const { status, headers } = answer;
  return { status, headers, text, json: (): Json => JSON.parse(text) };
}

/** Waits for the work after the responses to all requests that `ask` sent. */
export const settled = async () => {
  await Promise.all(contexts.splice(0).map(waitOnExecutionContext));
};

export interface Counts {
  requests: number;
  stale: number;
  failures: number;
  /** The usage reports that got 503. */
  refusedReports: number;
  readonly wrong: string[];
  /** How often each flag was true in the accepted usage reports, by flag key. */
  readonly reported: Map<string, number>;
}

export const noCounts = (): Counts => ({
  requests: 0,
  stale: 0,
  failures: 0,
  refusedReports: 0,
  wrong: [],
  reported: new Map(),
});

interface Held {
  readonly etag: string;
  readonly since: string;
  readonly revision: number;
  readonly rules: ReadonlyMap<string, ClientRule>;
}

const USER = { userId: "user-17" };

/**
 * A simulated SDK instance. It polls with its ETag (sometimes for a delta), evaluates flags and
 * reports usage.
 */
export class SdkClient {
  readonly env: Env;
  readonly modelled: Modelled;
  readonly key: string;
  readonly counts: Counts;
  #held: Held | undefined;
  readonly #checks: (() => string | undefined)[] = [];

  constructor(env: Env, modelled: Modelled, key: string, counts: Counts) {
    [this.env, this.modelled, this.key, this.counts] = [env, modelled, key, counts];
  }

  async run(until: () => boolean, pauseMs: number): Promise<void> {
    const reports: Promise<void>[] = [];
    for (let n = 0; !until(); n++) {
      const began = Date.now();
      if (n % 5 === 4) await this.#evaluate(began);
      // The next poll does not wait for the response to the usage report.
      else if (n % 7 === 6) reports.push(this.#report(n));
      else await this.#poll(began, n % 3 === 2);
      this.counts.requests += 1;
      await sleep(pauseMs);
    }
    await Promise.all(reports);
  }

  /**
   * Compares all recorded responses with the model. Call this after the model has learned all
   * revisions.
   */
  verify(): void {
    for (const check of this.#checks.splice(0)) {
      const wrong = check();
      if (wrong !== undefined) this.counts.wrong.push(wrong);
    }
  }

  async #poll(began: number, asDelta: boolean): Promise<void> {
    const held = this.#held;
    const query = asDelta && held ? `?since=${encodeURIComponent(held.since)}` : "";
    const headers: Record<string, string> = held ? { "If-None-Match": held.etag } : {};
    const path = `/api/client/features${query}`;
    const answer = await ask(this.env, "GET", path, { token: this.key, headers });
    if (answer.status !== 200 && answer.status !== 304) return this.#fail();
    const freshness = freshnessOf(answer.headers);
    if (answer.status === 304) {
      const isOurs = held?.etag === freshness.etag && held.revision === freshness.revision;
      this.#checks.push(() =>
        isOurs ? undefined : "304 for an ETag that the client does not hold",
      );
    } else {
      const isDelta = answer.headers.get("X-Delta") === "partial";
      const rules = new Map(isDelta ? held?.rules : []);
      for (const rule of answer.json() as ClientRule[])
        if (rule.archived) rules.delete(rule.key);
        else rules.set(rule.key, rule);
      this.#held = { ...freshness, rules };
    }
    const { rules } = this.#held ?? { rules: new Map<string, ClientRule>() };
    this.#note(began, freshness, (expected) => isDeepStrictEqual([...rules.values()], expected));
  }

  async #evaluate(began: number): Promise<void> {
    const options = { token: this.key, body: { context: USER } };
    const answer = await ask(this.env, "POST", "/api/client/evaluate", options);
    if (answer.status !== 200) return this.#fail();
    const { evaluations } = answer.json();
    this.#note(began, freshnessOf(answer.headers), (expected) =>
      isDeepStrictEqual(evaluations, evaluateLocally(expected, USER)),
    );
  }

  async #report(t: number): Promise<void> {
    const key = this.modelled.flags[t % this.modelled.flags.length]?.key ?? "";
    const body = { evaluations: { [key]: { t, f: 0 } } };
    const answer = await ask(this.env, "POST", "/api/client/metrics", { token: this.key, body });
    const { counts } = this;
    if (answer.status === 202) counts.reported.set(key, (counts.reported.get(key) ?? 0) + t);
    else if (answer.status === 503 && answer.headers.has("Retry-After")) counts.refusedReports += 1;
    else this.#fail();
  }

  #fail(): void {
    this.counts.failures += 1;
  }

  #note(
    began: number,
    { revision, isStale }: ReturnType<typeof freshnessOf>,
    isRight: (rules: readonly ClientRule[]) => boolean,
  ): void {
    if (isStale) this.counts.stale += 1;
    this.#checks.push(() => {
      const known = this.modelled.revisions.get(revision);
      if (!known) return `a revision that never existed: ${revision}`;
      if (!isRight(known.rules)) return `not the rules of revision ${revision}`;
      const least = newestAt(this.modelled, began - (isStale ? STALE_MS : FRESH_MS));
      return revision < least ? `revision ${revision}, which is older than ${least}` : undefined;
    });
  }
}

const freshnessOf = (headers: Headers) => ({
  etag: headers.get("ETag") ?? "",
  since: headers.get("X-Next-Since") ?? "",
  revision: Number(headers.get("X-Revision")),
  isStale: headers.get("Warning") !== null,
});
