import { reasonHeader } from "../../shared/api/change-reason.ts";
import { etag } from "../../shared/api/response.ts";
import type { RequestOperation, Schemas, Strategy } from "../../shared/api/types.ts";
import type { StrategySettings } from "../../shared/strategy/settings.ts";
import { type DraftRule, rulesRequest } from "./draft-rules.ts";
import type { Sending } from "./ways-to-save.ts";

export interface StrategyChange {
  /** The strategy as it was loaded. The API returns 412 if the strategy has another version now. */
  strategy: Pick<Strategy, "flagId" | "environmentId" | "version">;
  /** The strategy fields to change. All other strategy fields keep their values. */
  change: Partial<Omit<StrategySettings, "rules"> & { rules: readonly DraftRule[] }>;
  /** The reason for the change, which the audit record will contain. By default, there is none. */
  reason?: string;
  /** The ids of the users who are asked to review a proposed change. By default, nobody is. */
  reviewers?: readonly number[];
}

/** Returns the parameters and the body of the request that changes a strategy, or proposes the change. */
export function strategyRequest(
  { strategy, change, reason = "", reviewers = [] }: StrategyChange,
  how: Sending = "save",
) {
  const { flagId, environmentId, version } = strategy;
  const { rules, ...fields } = change;
  return {
    params: {
      path: { flagId },
      ...(how === "propose" && {
        query: {
          propose: true,
          ...(reviewers.length > 0 && { reviewers: reviewers.join(",") }),
        },
      }),
      header: {
        "If-Match": etag(version),
        ...reasonHeader(reason),
        ...(how === "bypass" && { "X-Approval-Bypass": "true" as const }),
      },
    },
    // The cast is needed because a strategy may contain values from a later release, which this
    // type does not contain. The API validates the values.
    body: {
      environmentId,
      ...fields,
      ...(rules && { rules: rulesRequest(rules) }),
    } as Schemas["SetStrategy"],
  };
}

/** Returns the change of a strategy as an operation of a change request. */
export function strategyOperation(change: StrategyChange): RequestOperation {
  const { environmentId, ...input } = strategyRequest(change).body;
  const target = { flagId: change.strategy.flagId, environmentId };
  return { kind: "strategy.set", target, input };
}
