import { networkOf } from "@feature-flags/evaluation/ip";
import type { FailureLimit, RequestLimits } from "../http/context.ts";
import { RateLimit, type RatePorts } from "../http/rate-limit.ts";

/**
 * The rate limit state of this isolate. The counters themselves are rate limit bindings
 * (wrangler.toml).
 */
const callers = new RateLimit("management callers");
const sessions = new RateLimit("sessions by address");
const links = new RateLimit("links by address");
const failures = new RateLimit("failures by address");

type Network = (count: (network: string) => void) => void;

/**
 * Calls `count` with the caller's network. Behind Cloudflare every request has an address. Without
 * one, as in tests, nothing is counted, because the callers cannot be told apart.
 */
const networkIn =
  (ip: string | undefined): Network =>
  (count) => {
    if (ip !== undefined) count(networkOf(ip));
  };

/** Limits failed attempts (such as wrong passwords) by the caller's network. */
export function failureLimit(env: Env, ports: RatePorts, ip: string | undefined): FailureLimit {
  const network = networkIn(ip);
  return {
    check: (what) => network((name) => failures.check(ports, `${what} ${name}`)),
    count: (what) => network((name) => failures.count(ports, env.FAILURE_RATE, `${what} ${name}`)),
  };
}

/** Returns the rate limits of one request to the management API. */
export function requestLimits(env: Env, ports: RatePorts, ip: string | undefined): RequestLimits {
  const network = networkIn(ip);
  return {
    caller: ({ kind, id }) => callers.admit(ports, env.MANAGEMENT_RATE, `${kind} ${id}`),
    session: () => network((name) => sessions.admit(ports, env.SESSION_RATE, name)),
    link: () => network((name) => links.admit(ports, env.LINK_RATE, name)),
    failures: failureLimit(env, ports, ip),
  };
}
