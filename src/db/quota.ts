import { type SQL, sql } from "drizzle-orm";
import { ApiError } from "../core/errors/api-error.ts";

/**
 * The default limits of the quotas. A deployment changes a limit with the variable `QUOTA_<NAME>`.
 */
export const QUOTAS = {
  FLAGS: 5000,
  ENVIRONMENTS: 50,
  SEGMENTS: 1000,
  TAGS: 500,
  CONTEXTS: 200,
  API_KEYS: 100,
  PROJECTS: 200,
  USERS: 1000,
  INTEGRATIONS: 50,
  /**
   * Webhook deliveries per calendar month (UTC), over all projects. A delivery above the limit is
   * held until the quota renews, instead of rejected.
   */
  WEBHOOK_DELIVERIES: 10_000,
} as const;

/** The limit of each quota in this deployment. */
export type Quotas = Readonly<Record<keyof typeof QUOTAS, number>>;

/**
 * What each quota counts, for the error text. `WEBHOOK_DELIVERIES` has no entry, because that quota
 * rejects no request.
 */
const LIMITED_ROWS = {
  FLAGS: "flags in a project",
  ENVIRONMENTS: "environments in a project",
  SEGMENTS: "segments in a project",
  TAGS: "tags in a project",
  CONTEXTS: "contexts in a project",
  API_KEYS: "API keys in an environment",
  PROJECTS: "projects",
  USERS: "users",
  INTEGRATIONS: "integrations in a project",
} as const satisfies Partial<Record<keyof Quotas, string>>;

/**
 * A guard that passes while the number of rows is below the limit of a quota. Its error is a 402.
 */
export interface QuotaGuard {
  readonly quota: keyof typeof LIMITED_ROWS;
  /** A SELECT of the current number of rows that the quota limits. */
  readonly count: SQL;
}

/**
 * Returns the quota guard as an SQL condition with the limit of this deployment, and its error: a
 * 402.
 */
export const quotaCondition = ({ quota, count }: QuotaGuard, quotas: Quotas) =>
  belowLimit(count, quotas[quota], LIMITED_ROWS[quota]);

/**
 * Returns a guard that passes while `count` is below `limit`. Its error is a 402 whose text
 * contains `rows`.
 */
export const belowLimit = (count: SQL, limit: number, rows: string) => ({
  holds: sql`(${count}) < ${limit}`,
  error: new ApiError("QUOTA_EXCEEDED", `The quota of ${limit} ${rows} is used up`),
});
