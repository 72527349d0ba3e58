import type { CircuitBreaker } from "../sources/circuit-breaker.ts";
import type { ClientPorts } from "../sources/ports.ts";
import { findKeyById, type KeyRow } from "../sources/queries.ts";
import { type RowLease, RowLeases } from "./row-leases.ts";
import type { StreamClaims } from "../sources/stream-token.ts";

/**
 * The API keys of stream tokens, each checked at most once a second. A valid token proves that its
 * key existed, so while the database is unavailable the token is accepted.
 */
export class StreamKeys {
  readonly #leases: RowLeases;

  constructor(database: CircuitBreaker) {
    this.#leases = new RowLeases(database, findKeyById);
  }

  /** Whether the isolate has checked the API key of a token before. */
  knows({ keyId }: StreamClaims): boolean {
    return this.#leases.knows(keyId);
  }

  /** Checks the API key of a token. The lease has no key when the API key was deleted. */
  check(ports: ClientPorts, claims: StreamClaims): Promise<RowLease> {
    return this.#leases.check(ports, claims.keyId, trusted(claims));
  }
}

/** Returns the key of a token that the database did not confirm. It counts as a public key. */
const trusted = ({ keyId, environmentId }: StreamClaims): KeyRow => ({
  id: keyId,
  keyType: "FRONTEND",
  environmentId,
  projectId: 0,
  revision: 0,
});
