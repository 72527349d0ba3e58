import { type SQL, sql } from "drizzle-orm";
import { inList } from "./json-list.ts";
import { flags } from "./schema/projects.ts";

/**
 * Returns the SQL subquery of the uses of segments under a condition: a row for each strategy that uses a
 * segment itself, and a row for each strategy whose ordered rules use a segment. `uses` is the number of
 * rules that use the segment, where the strategy's own fields count as one rule. Both parts of the UNION
 * contain the condition, because SQLite does not always move an outer condition into them.
 */
export const segmentUses = (where: SQL): SQL =>
  sql`(SELECT flag_id, environment_id, segment_id, 1 AS uses FROM strategy_segments WHERE ${where}
    UNION ALL SELECT flag_id, environment_id, segment_id, uses FROM strategy_rule_segments
      WHERE ${where})`;

/**
 * Returns the SQL condition on the table `flags` that selects the flags whose strategy or ordered
 * rules use one of the segments in at least one environment.
 */
export const usesSegment = (segmentIds: readonly number[]): SQL =>
  sql`${flags.id} IN (SELECT flag_id FROM ${segmentUses(sql`segment_id IN ${inList(segmentIds)}`)})`;
