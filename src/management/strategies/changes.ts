import type { StrategyContent } from "../../core/strategies/strategy.ts";
import { auditedStrategy, strategyView } from "../../core/strategies/view.ts";
import type { RecordedChange } from "../flags/changes.ts";
import type { StrategyRow } from "./queries.ts";

/** Returns the audit entry and the webhook event for a change of a strategy. */
export function updatedStrategy(row: StrategyRow, after: StrategyContent): RecordedChange {
  const { flagId, flag, environmentId, environmentName, content: before } = row;
  const { projectId, variants } = flag;
  return {
    audit: [
      {
        action: "strategy.updated",
        entityType: "flag",
        entityId: flagId,
        projectId,
        environmentId,
        before: auditedStrategy(before, variants),
        after: auditedStrategy(after, variants),
      },
    ],
    events: [
      {
        type: "flag.updated",
        projectId,
        entityId: flagId,
        data: {
          flag: { key: flag.key, name: flag.name },
          environment: { id: environmentId, name: environmentName },
          strategy: strategyView(after, variants),
        },
      },
    ],
  };
}
