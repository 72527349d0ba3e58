import { networkOf } from "@feature-flags/evaluation/ip";
import { sql } from "drizzle-orm";
import { HOUR_MS } from "../core/lib/time.ts";
import { actorName } from "./audit.ts";
import type { Origin } from "./origin.ts";
import { COUNTED_REFUSAL, type EntityType, IS_COUNTED_REFUSAL } from "./schema/records.ts";

/**
 * The maximum number of networks that have an audit record of their own in an hour. The refusals of all
 * further networks have one record together. So somebody with many networks cannot fill the database.
 */
const MOST_NETWORKS = 100;

const IS_REFUSAL = sql.raw(IS_COUNTED_REFUSAL);

/**
 * Returns the statement that counts a refused login with an e-mail address that no user has. The
 * count is in the audit record of the hour and the network: an IPv4 address or an IPv6 /64.
 */
export function refusalStatement(origin: Origin, now: number) {
  const { actor, ip, traceId } = origin;
  const hour = now - (now % HOUR_MS);
  const network = ip === undefined ? "unknown network" : networkOf(ip);
  const own = sql`SELECT 1 FROM audit WHERE ${IS_REFUSAL} AND at = ${hour} AND ip = ${network}`;
  const all = sql`SELECT count(*) FROM audit WHERE ${IS_REFUSAL} AND at = ${hour}`;
  return sql`INSERT INTO audit
      (at, category, action, actor_kind, actor_name, entity_type, after, ip, trace_id)
    VALUES (${hour}, 'security', ${COUNTED_REFUSAL}, ${actor.kind}, ${actorName(actor)},
      ${"user" satisfies EntityType}, '{"count":1}', CASE WHEN EXISTS (${own}) OR (${all}) < ${MOST_NETWORKS} THEN ${network}
        ELSE 'other networks' END, ${traceId})
    ON CONFLICT (at, ip) WHERE ${IS_REFUSAL}
    DO UPDATE SET after = json_set(after, '$.count', (after ->> '$.count') + 1)`;
}
