import { ApiError, unauthorized } from "../core/errors.ts";
import { allows, type Permission } from "../core/permissions.ts";
import { type Lease, Leases } from "./leases.ts";
import type { ClientPorts } from "./ports.ts";
import type { KeyRow } from "./queries.ts";
import { RuleCache, type Served } from "./rule-cache.ts";

const API_KEY = /^[A-Za-z0-9_-]{64}$/;

/** 503 of an outage: when to come back, in seconds. */
const RETRY_AFTER = "5";

/** What one isolate remembers between requests: leases and rules. */
export class Edge {
  readonly leases = new Leases();
  readonly rules = new RuleCache();

  /**
   * The rules of the key's environment, never older than the lease. Answers at once, without a
   * promise, when memory has everything.
   * Errors: 401 for what is no living key, 403 for a key of the wrong type, 503.
   */
  serve(
    ports: ClientPorts,
    token: string | undefined,
    permission: Permission,
  ): Served | Promise<Served> {
    if (token === undefined || !API_KEY.test(token)) throw unauthorized();
    const lease = this.leases.current(token, ports.now());
    if (!lease) return this.#ask(ports, token, permission);
    const key = permitted(lease, permission);
    const set = this.rules.current(key);
    return set ? { set, stale: lease.stale } : this.#load(ports, key, lease);
  }

  async #ask(ports: ClientPorts, token: string, permission: Permission): Promise<Served> {
    const lease = await this.leases.renew(ports, token).catch((error: unknown) => {
      throw unavailable(ports, error);
    });
    const key = permitted(lease, permission);
    const set = this.rules.current(key);
    return set ? { set, stale: lease.stale } : this.#load(ports, key, lease);
  }

  async #load(ports: ClientPorts, key: KeyRow, lease: Lease): Promise<Served> {
    try {
      return await this.rules.load(ports, key, lease);
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

function unavailable(ports: ClientPorts, error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  ports.fault("client", error);
  return new ApiError("SERVICE_UNAVAILABLE", "The service cannot answer at the moment", {
    headers: { "Retry-After": RETRY_AFTER },
  });
}
