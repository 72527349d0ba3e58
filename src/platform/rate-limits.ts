import { networkOf } from "@feature-flags/evaluation/ip";
import type { FailureLimit, RequestLimits } from "../http/context.ts";
import { RateLimit, type RatePorts } from "../http/rate-limit.ts";

/**
 * The rate limits of this isolate: which callers and networks get 429 at the moment. Cloudflare's
 * rate limit bindings count the requests (wrangler.toml).
 */
const callers = new RateLimit("management callers");
const sessions = new RateLimit("sessions by address");
const links = new RateLimit("links by address");
const failures = new RateLimit("failures by address");

type Network = (count: (network: string) => void) => void;

/**
 * Returns a function that calls `count` with the caller's network. Behind Cloudflare every request
 * has an IP address. Without one, as in tests, nothing is counted, because the callers cannot be
 * told apart.
 */
const networkIn =
  (ip: string | undefined): Network =>
  (count) => {
    if (ip !== undefined) count(networkOf(ip));
  };

/**
 * Returns the limit of failed attempts (such as wrong passwords or invalid API keys) per network of
 * the caller: an IPv4 address or an IPv6 /64.
 */
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
