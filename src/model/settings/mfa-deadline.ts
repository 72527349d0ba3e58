import { HOUR_MS } from "../../core/lib/time.ts";
import type { SettingsRow } from "./queries.ts";

/**
 * The grace period in milliseconds: users have 48 hours to set up a second factor after an
 * administrator requires it (docs/build/decisions.md, 3.12).
 */
const MFA_GRACE_MS = 48 * HOUR_MS;

/**
 * Returns the end of the grace period for setting up a second factor, in epoch milliseconds; null
 * while no second factor is required.
 */
export const mfaDeadline = (row: Pick<SettingsRow, "requireMfa" | "requireMfaSince">) =>
  row.requireMfa && row.requireMfaSince !== null ? row.requireMfaSince + MFA_GRACE_MS : null;
