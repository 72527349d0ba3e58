import type { Environment } from "../../shared/api/types.ts";
import { useCan } from "../../shared/session/current-session.tsx";
import { CONTENT_FIELDS, type StrategyDraft } from "./strategy.ts";
import { isSameField } from "../../shared/strategy/fields.tsx";

/** A direct change, or a change request with it. `bypass`: a direct change without the required approvals. */
export type Sending = "save" | "propose" | "bypass";

/** What the user can do with the changes in the strategy form. */
export type Way = Sending | "schedule" | "add" | "ramp";

/** What the save button does, and the ways in the menu beside it. */
export function useWaysToSave({ requiredApprovals, allowBypass }: Environment) {
  const isProtected = requiredApprovals > 0;
  const mayBypass = useCan("protection:bypass") && isProtected && allowBypass;
  return {
    usual: isProtected ? ("propose" as const) : ("save" as const),
    others: ["schedule", "add", "ramp", ...(mayBypass ? (["bypass"] as const) : [])] as const,
  };
}

/** Whether the percentage of the last rule is the only change, so that a ramp can make it. */
export const changesOnlyPercentage = (saved: StrategyDraft, values: StrategyDraft): boolean =>
  CONTENT_FIELDS.every((field) => field === "exactPercentage" || isSameField(field, saved, values));
