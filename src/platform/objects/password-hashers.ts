import { networkOf, siteOf } from "@feature-flags/evaluation/ip";
import { UnavailableError } from "../../core/errors/unavailable-error.ts";
import { HashLine } from "../../core/sessions/hash-line.ts";
import type { Deps } from "../../access/deps.ts";
import { now, wait } from "../runtime/clock.ts";
import { withTimeout } from "../runtime/timeout.ts";

/**
 * The Durable Objects that hash passwords. Each hashes about five passwords a second. Strangers and
 * known callers have objects of their own, so a flood of logins does not delay known callers.
 */
const OBJECTS = { stranger: 6, known: 2 };

/**
 * The timeout of a hash, milliseconds. It includes the hashes that the object makes first for other callers.
 */
const HASH_TIMEOUT_MS = 5_000;

/** The callers of this isolate who want a password hash. */
const line = new HashLine();

/**
 * Returns the `hashing` of a request, which hashes in a Durable Object. A hash throws
 * `UnavailableError` when the object fails or does not respond.
 *
 * The work continues when the client disconnects (`later`). Otherwise a caller could take a place in
 * the line, disconnect, and keep all others waiting until the place times out, without a failure that
 * counts against the limits.
 */
export function hashing(env: Env, ip: string | undefined, later: Deps["later"]): Deps["hashing"] {
  // Counts the whole /48 of an IPv6 address as one network, because a subscriber has many networks
  // of the size /64.
  const network = ip === undefined ? undefined : (siteOf(ip) ?? networkOf(ip));
  return (userId, work) => {
    const result = line.run({ now, wait }, { userId, network }, (inTurn) =>
      work((password, salt, cost) =>
        inTurn(async (isKnown) => {
          const kind = isKnown ? "known" : "stranger";
          const name = `${kind}-${Math.floor(Math.random() * OBJECTS[kind])}`;
          const deadline = now() + HASH_TIMEOUT_MS;
          try {
            const object = env.PASSWORD_HASHERS.getByName(name);
            const key = await withTimeout(HASH_TIMEOUT_MS, async () =>
              object.derive(password, salt, cost, deadline),
            );
            if (key === undefined) throw new Error("The deadline has passed");
            return key;
          } catch (error) {
            throw new UnavailableError("The hash of a password failed", { cause: error });
          }
        }),
      ),
    );
    later(Promise.allSettled([result]));
    return result;
  };
}
