import type { Pausing } from "@feature-flags/evaluation/pausing";
import type { Actor, Caller } from "@feature-flags/permissions/permissions";
import { Lru } from "../core/lib/lru.ts";
import { sql } from "drizzle-orm";
import { tooManyRequests } from "../core/errors/api-error.ts";
import { jsonBytes } from "../core/lib/chunks.ts";
import { DAY_MS, startOfDay } from "../core/lib/time.ts";
import type { AuditEntry } from "./audit.ts";

/**
 * What an audit record takes beside its contents, with its entries in the indexes, bytes. Measured
 * in SQLite: 500 without contents, and 1,100 with contents of 32 KB.
 */
const RECORD_BYTES = 1_000;

/** After which share of the quota the transaction counts again what a caller has written. */
const UNCOUNTED_SHARE = 0.01;

/** For how many callers an isolate keeps the state. The state of a caller takes 200 bytes. */
const MAX_CALLERS = 10_000;

interface CallerState {
  /** What the caller has written through this isolate since the last count, bytes. */
  uncounted: number;
  /** Until when the quota is known to be used up, epoch milliseconds. */
  usedUpUntil: number;
}

/** The records that a transaction is about to write. */
interface Records {
  readonly actor: Actor;
  /** What the records take, bytes (`recordBytes`). */
  readonly bytes: number;
  /** The time of the records, epoch milliseconds. */
  readonly now: number;
  /** The quota `AUDIT_BYTES`. */
  readonly quota: number;
}

/**
 * The quota of audit records of each caller and UTC day, in one isolate. The count is exact for all
 * isolates, but reads every record of the caller since midnight. So a transaction counts only when
 * the caller has written a hundredth of the quota through this isolate since the last count.
 */
export class AuditQuota {
  readonly #callers = new Lru<string, CallerState>(MAX_CALLERS);

  /**
   * Returns the guards of a transaction that writes these records: one that counts what the caller has
   * written before, or none. Throws, as the guard does: 429 until midnight UTC when that is the whole quota.
   */
  guards({ actor, bytes, now, quota }: Records) {
    if (!isLimited(actor)) return [];
    const state = this.#stateOf(`${actor.kind} ${actor.id}`);
    const midnight = startOfDay(now) + DAY_MS;
    const usedUp = () =>
      tooManyRequests(
        `Your changes of today take more than ${quota} bytes in the audit trail. Try again after midnight UTC`,
        midnight - now,
      );
    if (now < state.usedUpUntil) throw usedUp();
    state.uncounted += bytes;
    if (state.uncounted <= quota * UNCOUNTED_SHARE) return [];
    state.uncounted = 0;
    return [
      {
        absent: sql`SELECT 1 WHERE (${bytesSince(actor, startOfDay(now))}) >= ${quota}`,
        errorFor: () => {
          state.usedUpUntil = midnight;
          return usedUp();
        },
      },
    ];
  }

  #stateOf(caller: string): CallerState {
    const known = this.#callers.get(caller);
    if (known) return known;
    const fresh = { uncounted: 0, usedUpUntil: 0 };
    this.#callers.set(caller, fresh);
    return fresh;
  }
}

/** Returns the SELECT of what a caller has written since a time, bytes. */
const bytesSince = ({ kind, id }: Caller, time: number) =>
  sql`SELECT coalesce(sum(${RECORD_BYTES} + coalesce(octet_length(before), 0)
      + coalesce(octet_length(after), 0)), 0)
    FROM audit WHERE actor_id = ${id} AND at >= ${time} AND actor_kind = ${kind}`;

/**
 * Whether an actor is a caller with an API key, a token or a session. A user without them signs in or uses a
 * link of an e-mail. Such requests stay possible, because password hashes limit their number.
 */
const isLimited = (actor: Actor): actor is Caller =>
  actor.kind !== "system" &&
  (actor.kind !== "user" || actor.sessionId !== undefined || actor.token !== undefined);

/** Returns what audit records take, bytes. */
export function* recordBytes(entries: readonly AuditEntry[]): Pausing<number> {
  let bytes = 0;
  for (const { before, after } of entries) {
    yield after;
    bytes += RECORD_BYTES + (before ? jsonBytes(before) : 0) + (after ? jsonBytes(after) : 0);
  }
  return bytes;
}
