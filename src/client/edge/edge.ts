import { kindOfToken } from "../../core/credentials/token-kind.ts";
import { ApiError, notFound, unauthorized } from "../../core/errors/api-error.ts";
import { networkOf } from "@feature-flags/evaluation/ip";
import { allows, type Permission } from "@feature-flags/permissions/permissions";
import { MetricsRegistry } from "../../core/metrics/registry.ts";
import { RateLimit } from "../../http/rate-limit.ts";
import { CatchUp } from "../rules/catch-up.ts";
import { CircuitBreaker, CircuitOpenError } from "../sources/circuit-breaker.ts";
import { type EdgeMetrics, edgeMetrics } from "../sources/edge-metrics.ts";
import { Manifests } from "../rules/manifests.ts";
import { callingInstance } from "../usage/instance.ts";
import { LastSeen } from "../usage/last-seen.ts";
import { type Lease, Leases, STORE_TIMEOUT_MS } from "../keys/leases.ts";
import type { ClientPorts } from "../sources/ports.ts";
import { findEnvironment, keyless, type KeyRow } from "../sources/queries.ts";
import { RowLeases } from "../keys/row-leases.ts";
import { MAX_CACHE_BYTES, RuleCache } from "../rules/rule-cache.ts";
import { type LoadedRules, RuleLoader } from "../rules/rule-loader.ts";
import type { RuleSet } from "../rules/rule-set.ts";
import { UsageBuffer } from "../usage/usage-buffer.ts";
import { StreamKeys } from "../keys/stream-keys.ts";
import { readStreamToken, StreamTokens } from "../sources/stream-token.ts";

/**
 * How many requests of an API key an isolate counts with one call of the rate limit binding. A call
 * for each poll would slow polls down. An isolate leaves at most 9 requests of a key uncounted.
 */
export const WEIGHT = 10;

/** The API key of a request, and the rules to respond with. */
export interface Served extends LoadedRules {
  readonly key: KeyRow;
}

/**
 * What one isolate keeps in memory between requests: key leases, rules, usage, last-seen marks, rate limits.
 */
export class Edge {
  readonly leases: Leases;
  readonly rules: RuleCache;
  readonly #loader: RuleLoader;
  readonly #catchUp: CatchUp;
  readonly #streamKeys: StreamKeys;
  readonly #environments: RowLeases;
  readonly #streamTokens = new StreamTokens();
  readonly usage = new UsageBuffer();
  readonly lastSeen = new LastSeen(this.usage);
  readonly manifests = new Manifests();
  readonly #keyRates = new RateLimit("API keys", WEIGHT);
  readonly #browserRates = new RateLimit("FRONTEND keys by address", WEIGHT);
  readonly metrics: EdgeMetrics;

  constructor(metrics: EdgeMetrics = edgeMetrics(new MetricsRegistry())) {
    this.metrics = metrics;
    const store = new CircuitBreaker(STORE_TIMEOUT_MS);
    this.leases = new Leases(metrics, store);
    this.rules = new RuleCache(MAX_CACHE_BYTES, metrics);
    this.#loader = new RuleLoader(this.rules, store, metrics);
    this.#streamKeys = new StreamKeys(this.leases.database);
    this.#environments = new RowLeases(this.leases.database, findEnvironment);
    this.#catchUp = new CatchUp({
      cache: this.rules,
      loader: this.#loader,
      database: this.leases.database,
      metrics,
    });
  }

  /**
   * Returns the rules of the API key's environment. Returns no promise when the key lease and the
   * rules are in memory. Returns older rules while newer rules load, and when loading fails.
   * Throws: 401 for an invalid key, 403 for a key of the wrong type, 429 after many invalid keys,
   * 503 when the key or the rules cannot be read.
   */
  serve(
    ports: ClientPorts,
    token: string | undefined,
    permission: Permission,
  ): Served | Promise<Served> {
    if (token === undefined || kindOfToken(token) !== "api-key") throw unauthorized();
    const lease = this.leases.freshLease(token, ports.now());
    const { keys } = this.metrics;
    (lease ? keys.hits : keys.misses).add();
    if (!lease) return this.#renew(ports, token, permission);
    const key = permitted(lease, permission);
    const set = this.#held(ports, key, lease);
    return set ? { key, set, stale: lease.stale } : this.#load(ports, key, lease);
  }

  /**
   * Returns the rules of the environment of a stream token. An invalid token counts as an invalid API key, as
   * does a token whose environment is not that of its API key, and the first use of a token whose API key was
   * deleted. Throws: 401 for such a token, 429 after many invalid keys, 503 when the rules cannot be read.
   */
  async serveStream(ports: ClientPorts, token: string): Promise<Served> {
    const claims = await readStreamToken(ports.streams.secrets, token);
    if (!claims) throw rejectedToken(ports);
    const isNew = !this.#streamKeys.knows(claims);
    const lease = await this.#streamKeys.check(ports, claims);
    if (isNew && !lease.key) throw rejectedToken(ports);
    const key = permitted(lease, "rules:evaluate");
    if (key.environmentId !== claims.environmentId) throw rejectedToken(ports);
    const set = this.#held(ports, key, lease);
    return set ? { key, set, stale: lease.stale } : this.#load(ports, key, lease);
  }

  /**
   * Returns the rules of an environment for a caller that needs no API key: a Worker of the same
   * account. Throws: 404 for an environment that does not exist, 503 when the rules cannot be read.
   */
  async serveEnvironment(ports: ClientPorts, environmentId: number): Promise<Served> {
    const lease = await this.#environments.check(ports, environmentId, keyless(environmentId));
    const { key } = lease;
    if (!key)
      throw notFound(
        `There is no environment ${environmentId}: GET /api/v1/environments lists the ids`,
      );
    const set = this.#held(ports, key, lease);
    return set ? { key, set, stale: lease.stale } : this.#load(ports, key, lease);
  }

  /**
   * Returns the stream token of an API key; undefined when the service offers no streams. Returns no
   * promise when the token is in memory.
   */
  streamToken(ports: ClientPorts, key: KeyRow): string | undefined | Promise<string> {
    const { isOn, secrets } = ports.streams;
    const { id: keyId, environmentId } = key;
    return isOn ? this.#streamTokens.of(secrets[0], { keyId, environmentId }) : undefined;
  }

  /**
   * Returns the rules for a request that demands at least `revision`. If the given rules are older,
   * loads newer ones, and waits for up to 2 seconds. If that fails, returns the newest rules that
   * the isolate has, marked as stale.
   */
  async atLeast(ports: ClientPorts, served: Served, revision: number): Promise<Served> {
    if (served.set.snapshot.revision >= revision) return served;
    const { key } = served;
    const { set: reached } = await this.#catchUp.reach(ports, { key, revision });
    if (reached) return { ...served, set: reached };
    const held = this.rules.held(key.environmentId);
    const isNewer = held && held.snapshot.revision > served.set.snapshot.revision;
    return { ...served, set: isNewer ? held : served.set, stale: true };
  }

  /**
   * Returns the newest revision of the environment, for a client that names a revision that this
   * isolate may not know yet. Waits for up to 2 seconds. Undefined: the database did not answer, so
   * it is unknown whether the client's revision exists.
   */
  async newestFor(
    ports: ClientPorts,
    { key, set }: Served,
    revision: number,
  ): Promise<number | undefined> {
    if (set.snapshot.revision >= revision) return set.snapshot.revision;
    const reached = await this.#catchUp.reach(ports, { key, revision });
    return reached.set?.snapshot.revision ?? reached.newest;
  }

  /**
   * Counts one more request with the API key against the rate limits. A FRONTEND key is public, so
   * it also has a limit for each network: one network that floods is rejected long before it uses
   * up the limit of the key. Throws: 429.
   */
  admit(ports: ClientPorts, { id, keyType }: KeyRow, address: () => string | null): void {
    const { key, browser } = ports.rates;
    if (keyType === "FRONTEND")
      this.#browserRates.admit(ports, browser, `${id} ${networkOf(address() ?? "")}`);
    this.#keyRates.admit(ports, key, id);
  }

  /**
   * Marks the calling SDK instance as seen now, if a SERVER key is used and the headers name the
   * instance. The mark has the revision of the rules in the response. `fetchesRules`: whether the
   * response has the rules, so that the instance evaluates flags itself.
   */
  markInstance(
    ports: ClientPorts,
    { key, set }: Served,
    headers: Headers,
    fetchesRules: boolean,
  ): void {
    const instance = callingInstance(headers, key);
    if (!instance) return;
    const { revision } = set.snapshot;
    this.lastSeen.instance(ports, instance, { key, revision, fetchesRules });
  }

  /**
   * Call this after this isolate has written to the database. The next request with a key of these
   * environments checks the key again. The circuit breaker of the database closes, and failed loads
   * of rules may be repeated at once.
   */
  expire(environmentIds: ReadonlySet<number>): void {
    this.leases.expire(environmentIds);
    this.#environments.expire(environmentIds);
    this.#loader.expire(environmentIds);
  }

  async #renew(ports: ClientPorts, token: string, permission: Permission): Promise<Served> {
    // Applies the rate limit of invalid keys only to keys that neither this isolate nor KV knows. A
    // valid key stays usable in a network from which unknown keys come, such as an old key of a fleet.
    const isNew = !this.leases.knows(token);
    const refuse = isNew ? () => ports.failures().check("key") : undefined;
    const lease = await this.leases.renew(ports, token, refuse).catch((error: unknown) => {
      throw unavailable(ports, error);
    });
    if (isNew && !lease.key) ports.failures().count("key");
    const key = permitted(lease, permission);
    const set = this.#held(ports, key, lease);
    return set ? { key, set, stale: lease.stale } : this.#load(ports, key, lease);
  }

  #held(
    ports: ClientPorts,
    key: KeyRow,
    lease: Pick<Lease, "stale" | "bookmark">,
  ): RuleSet | undefined {
    const set = this.#loader.usableRules(ports, key, lease);
    const { rules } = this.metrics;
    (set ? rules.hits : rules.misses).add();
    return set;
  }

  async #load(
    ports: ClientPorts,
    key: KeyRow,
    lease: Pick<Lease, "stale" | "bookmark">,
  ): Promise<Served> {
    try {
      const { set, stale } = await this.#loader.load(ports, key, lease);
      return { key, set, stale };
    } catch (error) {
      throw unavailable(ports, error);
    }
  }
}

/**
 * Counts an invalid stream token, and returns the error for it. A valid token never gets 429 because
 * of invalid ones: clients of many users may share a network.
 */
function rejectedToken(ports: ClientPorts): ApiError {
  const limit = ports.failures();
  limit.check("key");
  limit.count("key");
  return unauthorized("A valid stream token is required");
}

function permitted(lease: Pick<Lease, "key">, permission: Permission): KeyRow {
  const { key } = lease;
  if (!key) throw unauthorized();
  const { id, keyType, environmentId, projectId } = key;
  const scope = { environmentId, projectId };
  const actor = { kind: "key" as const, id, name: "", keyType, canWrite: false, ...scope };
  if (!allows(actor, permission))
    throw new ApiError(
      "FORBIDDEN",
      `The request needs the permission ${permission}, which an API key of the type ${keyType} does not have`,
    );
  return key;
}

/**
 * Returns the error that the caller gets for a thrown error. An `ApiError` stays unchanged. Any
 * other error becomes a 503, and is logged as a fault unless a circuit breaker was open.
 */
export function unavailable(ports: ClientPorts, error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (!(error instanceof CircuitOpenError)) ports.fault("client", error);
  return new ApiError(
    "SERVICE_UNAVAILABLE",
    "The service is unavailable at the moment; try again in 5 seconds",
  );
}
