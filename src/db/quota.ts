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
  /** Webhook deliveries per month. Deliveries above the limit are held instead of rejected. */
  WEBHOOK_DELIVERIES: 10_000,
} as const;

/** The quotas of this deployment. */
export type Quotas = Readonly<Record<keyof typeof QUOTAS, number>>;

/** The name of the rows that each quota limits, for the error text. */
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
 * Returns a guard that passes while `count` is below `limit`. Its error is 402, and its text
 * contains `rows`.
 */
export interface QuotaGuard {
  readonly quota: keyof typeof LIMITED_ROWS;
  /** A SELECT of the current number of rows. */
  readonly count: SQL;
}

/** Returns the condition of a quota guard, and its error: 402. */
export const quotaCondition = ({ quota, count }: QuotaGuard, quotas: Quotas) =>
  belowLimit(count, quotas[quota], LIMITED_ROWS[quota]);

/** A guard that passes while `count` is below `limit`. Its error is 402 and names `rows`. */
export const belowLimit = (count: SQL, limit: number, rows: string) => ({
  holds: sql`(${count}) < ${limit}`,
  error: new ApiError("QUOTA_EXCEEDED", `The quota of ${limit} ${rows} is used up`),
});
