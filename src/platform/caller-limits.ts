import { type Caller, tokenOf } from "@feature-flags/permissions/permissions";
import { networkOf, siteOf } from "@feature-flags/evaluation/ip";
import { AuditQuota } from "../db/audit-quota.ts";
import type { FailureLimit, RequestLimits } from "../http/context.ts";
import { type RateCounter, RateLimit, type RatePorts } from "../http/rate-limit.ts";

/**
 * How many requests of an IPv6 /48 count as one request of that /48. A subscriber usually has a /48, with
 * 65,536 networks of the size /64. So a /48 may send ten times as many requests as one /64.
 */
const SITE_WEIGHT = 10;

/**
 * A rate limit by the network of the caller: the IPv4 address, or the /64 and the /48 of the IPv6
 * address. Behind Cloudflare, every request has an IP address. A request without one, as in tests,
 * is not limited, because the callers cannot be told apart.
 */
class NetworkLimit {
  readonly #networks: RateLimit;
  readonly #sites: RateLimit;

  /** @param name the name of the rate limit in a fault report */
  constructor(name: string) {
    this.#networks = new RateLimit(name);
    this.#sites = new RateLimit(name, SITE_WEIGHT);
  }

  /** Counts a request. Throws: 429 above the limit. Requests with different `what` are counted separately. */
  admit(ports: RatePorts, counter: RateCounter, ip: string | undefined, what = ""): void {
    this.check(ports, ip, what);
    this.count(ports, counter, ip, what);
  }

  /** Checks the limit without counting. Throws: 429. */
  check(ports: RatePorts, ip: string | undefined, what = ""): void {
    for (const { limit, key } of this.#limits(ip, what)) limit.check(ports, key);
  }

  /** Counts a request without checking the limit. */
  count(ports: RatePorts, counter: RateCounter, ip: string | undefined, what = ""): void {
    for (const { limit, key } of this.#limits(ip, what)) limit.count(ports, counter, key);
  }

  #limits(ip: string | undefined, what: string) {
    if (ip === undefined) return [];
    const site = siteOf(ip);
    return [
      { limit: this.#networks, key: `${what}${networkOf(ip)}` },
      ...(site === undefined ? [] : [{ limit: this.#sites, key: `${what}${site}` }]),
    ];
  }
}

/**
 * The rate limits of this isolate: which callers and networks get 429 at the moment. Cloudflare's
 * rate limit bindings count the requests (wrangler.toml).
 */
const callers = new RateLimit("management callers");
const files = new RateLimit("files by caller");
const agentWrites = new RateLimit("changes by agents");
const sessions = new NetworkLimit("sessions by address");
const links = new NetworkLimit("links by address");
const failures = new NetworkLimit("failures by address");
const operations = new NetworkLimit("operations by address");

/** The quota of audit records of this isolate's callers. */
export const auditQuota = new AuditQuota();

/**
 * Returns the limit of failed attempts (such as wrong passwords or invalid API keys) by the network
 * of the caller.
 */
export function failureLimit(env: Env, ports: RatePorts, ip: string | undefined): FailureLimit {
  return {
    check: (what) => failures.check(ports, ip, `${what} `),
    count: (what) => failures.count(ports, env.FAILURE_RATE, ip, `${what} `),
  };
}

/**
 * Counts a request to an operational endpoint without `ACTUATOR_TOKEN`. Throws: 429 above the rate
 * limit of the caller's network.
 */
export function admitToOperations(env: Env, ports: RatePorts, ip: string | undefined): void {
  operations.admit(ports, env.OPERATIONS_RATE, ip);
}

/** Returns the key by which the requests of a caller are counted. */
function keyOf(actor: Caller): string {
  const token = tokenOf(actor);
  return token ? `token ${token.id}` : `${actor.kind} ${actor.id}`;
}

export function requestLimits(env: Env, ports: RatePorts, ip: string | undefined): RequestLimits {
  return {
    caller: (actor) => callers.admit(ports, env.MANAGEMENT_RATE, keyOf(actor)),
    file: (actor) => files.admit(ports, env.FILE_RATE, keyOf(actor)),
    session: () => sessions.admit(ports, env.SESSION_RATE, ip),
    link: () => links.admit(ports, env.LINK_RATE, ip),
    agentWrite: ({ id }) => agentWrites.admit(ports, env.MCP_WRITE_RATE, id),
    failures: failureLimit(env, ports, ip),
  };
}
