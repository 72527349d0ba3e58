import { type SQL, sql } from "drizzle-orm";
import { ApiError } from "../core/errors/api-error.ts";

/** The default limits of the quotas. A deployment changes a limit with the variable `QUOTA_<NAME>`. */
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
   * Webhook deliveries per project and calendar month (UTC). A delivery above the limit is held
   * until the quota renews, instead of rejected.
   */
  WEBHOOK_DELIVERIES: 10_000,
  /**
   * Bytes of audit records that one user or API key may write on a day (UTC). A request above the
   * limit is 429 until midnight. Setting up 5,000 flags in 20 environments takes about 200 MB.
   */
  AUDIT_BYTES: 500_000_000,
  /**
   * Bytes of rules in an environment (see `ruleBytes`): 2 MB, which 5,000 flags with a constraint
   * fit. The isolate parses and compiles all rules at once, which takes up to 0.1 s for each MB
   * (docs/build/performance.md). Compiled rules take up to six times their size in memory.
   */
  RULE_BYTES: 2_000_000,
} as const;

/** The limit of each quota in this deployment. */
export type Quotas = Readonly<Record<keyof typeof QUOTAS, number>>;

/**
 * What each quota counts, for the error text. `WEBHOOK_DELIVERIES` has no entry, because that quota
 * rejects no request. `AUDIT_BYTES` and `RULE_BYTES` have no entry, because they count bytes.
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

/** A guard that passes while the number of rows is below the limit of a quota. Its error is a 402. */
export interface QuotaGuard {
  readonly quota: keyof typeof LIMITED_ROWS;
  /** A SELECT of the current number of rows that the quota limits. */
  readonly count: SQL;
}

/**
 * A guard that passes while the rules of every environment that the change alters fit into the
 * quota `RULE_BYTES`. Its error has the size.
 */
export interface SizeGuard {
  readonly quota: "RULE_BYTES";
  /**
   * A SELECT of the size in bytes that the rules of the largest of these environments would have
   * after the change. NULL if the change alters no environment.
   */
  readonly bytes: SQL;
}

/** Returns the SQL condition of a size guard, with the limit of this deployment. */
export const fitsQuota = ({ bytes }: SizeGuard, quotas: Quotas): SQL =>
  sql`coalesce((${bytes}), 0) <= ${quotas.RULE_BYTES}`;

/**
 * Returns the error of a size guard, a 402, for a change after which the rules of an environment
 * would have `bytes` bytes.
 */
export const rulesTooLarge = (bytes: number, { RULE_BYTES }: Quotas): ApiError =>
  new ApiError(
    "QUOTA_EXCEEDED",
    `The rules of the environment would have ${bytes} bytes; the quota is ${RULE_BYTES} bytes`,
  );

/**
 * Returns the SQL condition of a quota guard, with the limit of this deployment, and the guard's
 * error: a 402.
 */
export const quotaCondition = ({ quota, count }: QuotaGuard, quotas: Quotas) => ({
  holds: sql`(${count}) < ${quotas[quota]}`,
  error: new ApiError(
    "QUOTA_EXCEEDED",
    `The quota of ${quotas[quota]} ${LIMITED_ROWS[quota]} is reached: delete some, or let an operator ` +
      `raise QUOTA_${quota}`,
  ),
});

/**
 * Returns a guard that passes while `count` is below a limit that no deployment can change. Its error
 * is a 402. `rows` says in the error text what is limited, such as `tokens of an owner`, and `advice`
 * how the caller makes room.
 */
export const belowLimit = (
  count: SQL,
  limit: number,
  rows: string,
  advice = "delete some first",
) => ({
  holds: sql`(${count}) < ${limit}`,
  error: new ApiError(
    "QUOTA_EXCEEDED",
    `There are ${limit} ${rows} already, which is a fixed limit: ${advice}`,
  ),
});
