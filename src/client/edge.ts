import { ApiError, unauthorized } from "../core/errors/api-error.ts";
import { allows, type Permission } from "@feature-flags/permissions/permissions";
import { MetricsRegistry } from "../core/metrics/registry.ts";
import { type Lease, Leases, STORE_BOUND_MS } from "./leases.ts";
import { type EdgeMeters, edgeMeters } from "./meters.ts";
import { Patience, RestingError } from "./patience.ts";
import type { ClientPorts } from "./ports.ts";
import type { KeyRow } from "./queries.ts";
import { Rates } from "./rates.ts";
import { MAX_CACHE_BYTES, RuleCache } from "./rule-cache.ts";
import { type LoadedRules, RuleLoader } from "./rule-loader.ts";
import type { RuleSet } from "./rule-set.ts";
import { Sightings } from "./sightings.ts";

const API_KEY = /^[A-Za-z0-9_-]{64}$/;

export interface Served extends LoadedRules {
  readonly key: KeyRow;
}

/** What one isolate remembers between requests: leases, rules, and who was there. */
export class Edge {
  readonly leases: Leases;
  readonly rules: RuleCache;
  readonly #loader: RuleLoader;
  readonly sightings = new Sightings();
  readonly rates = new Rates();
  readonly meters: EdgeMeters;

  constructor(meters: EdgeMeters = edgeMeters(new MetricsRegistry())) {
    this.meters = meters;
    const store = new Patience(STORE_BOUND_MS);
    this.leases = new Leases(meters, store);
    this.rules = new RuleCache(MAX_CACHE_BYTES, meters);
    this.#loader = new RuleLoader(this.rules, store, meters);
  }

  /**
   * The rules of the key's environment, never older than the lease. Answers at once, without a
   * promise, when memory has everything.
   * Errors: 401 for what is no living key, 403 for a key of the wrong type, 503; 429 for an address
   * that has tried many that are none.
   */
  serve(
    ports: ClientPorts,
    token: string | undefined,
    permission: Permission,
  ): Served | Promise<Served> {
    if (token === undefined || !API_KEY.test(token)) throw unauthorized();
    const lease = this.leases.current(token, ports.now());
    const { keys } = this.meters;
    (lease ? keys.hits : keys.misses).add();
    if (!lease) return this.#ask(ports, token, permission);
    const key = permitted(lease, permission);
    const set = this.#held(ports, key, lease);
    return set ? { key, set, stale: lease.stale } : this.#load(ports, key, lease);
  }

  /** After a write in this very isolate: nothing older is served, and the database works. */
  expire(environmentIds: ReadonlySet<number>): void {
    this.leases.expire(environmentIds);
    this.#loader.retry(environmentIds);
  }

  async #ask(ports: ClientPorts, token: string, permission: Permission): Promise<Served> {
    // Only who makes up ever new keys asks ever new questions of the database.
    const isNew = !this.leases.knows(token);
    if (isNew) ports.failures().check("key");
    const lease = await this.leases.renew(ports, token).catch((error: unknown) => {
      throw unavailable(ports, error);
    });
    if (isNew && !lease.key) ports.failures().count("key");
    const key = permitted(lease, permission);
    const set = this.#held(ports, key, lease);
    return set ? { key, set, stale: lease.stale } : this.#load(ports, key, lease);
  }

  #held(ports: ClientPorts, key: KeyRow, lease: Lease): RuleSet | undefined {
    const set = this.#loader.current(ports, key, lease);
    const { rules } = this.meters;
    (set ? rules.hits : rules.misses).add();
    return set;
  }

  async #load(ports: ClientPorts, key: KeyRow, lease: Lease): Promise<Served> {
    try {
      const { set, stale } = await this.#loader.load(ports, key, lease);
      return { key, set, stale };
    } catch (error) {
      throw unavailable(ports, error);
    }
  }
}

function permitted(lease: Lease, permission: Permission): KeyRow {
  const { key } = lease;
  if (!key) throw unauthorized();
  const { id, keyType, environmentId, projectId } = key;
  const actor = { kind: "key" as const, id, name: "", keyType, environmentId, projectId };
  if (!allows(actor, permission))
    throw new ApiError("FORBIDDEN", `A ${keyType} key may not do this`);
  return key;
}

/** 503; the fault itself is for the log, once. */
export function unavailable(ports: ClientPorts, error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (!(error instanceof RestingError)) ports.fault("client", error);
  return new ApiError("SERVICE_UNAVAILABLE", "The service cannot answer at the moment");
}
