import type { RampOutcome, RampState, RampStep } from "../../core/ramps/ramp.ts";
import type { AuditEntry } from "../../db/audit.ts";
import type { DomainEvent } from "../../db/outbox.ts";
import type { Names, RampRow } from "./queries.ts";

/** What an audit record and an event say of a ramp. */
export interface Described extends Names {
  readonly id: number;
  readonly projectId: number;
  readonly flagId: number;
  readonly environmentId: number;
  readonly ruleId: string | null;
  readonly steps: readonly RampStep[];
  readonly step: number;
  readonly state: RampState;
}

/** Returns the part of a ramp that changes while it runs. */
const progressOf = ({ state, steps, step }: Described) => ({
  state,
  step,
  exactPercentage: steps[step]?.exactPercentage,
});

/** Returns the audit record of what happened to a ramp. Without `before`: the ramp is new. */
export const rampEntry = (
  outcome: RampOutcome,
  before: Described | undefined,
  after: Described,
  more: object = {},
): AuditEntry => ({
  action: `ramp.${outcome}`,
  entityType: "ramp",
  entityId: after.id,
  projectId: after.projectId,
  environmentId: after.environmentId,
  rampId: after.id,
  before: before && progressOf(before),
  after: { ...progressOf(after), ...more },
});

export const rampEvent = (
  outcome: RampOutcome,
  ramp: Described,
  data: DomainEvent["data"] = {},
): DomainEvent => ({
  type: `ramp.${outcome}`,
  projectId: ramp.projectId,
  entityId: ramp.id,
  data: {
    ramp: { id: ramp.id, ruleId: ramp.ruleId, steps: ramp.steps.length, ...progressOf(ramp) },
    flag: { id: ramp.flagId, key: ramp.flagKey, name: ramp.flagName },
    environment: { id: ramp.environmentId, name: ramp.environmentName },
    ...data,
  },
});

/** The reason of a ramp that stops because of what somebody else has done. */
export const OBSTACLES = {
  changed: "The strategy was changed",
  archived: "The flag was archived",
} as const;

/** Returns the columns of a ramp that has ended. */
export const ended = (
  state: Extract<RampState, "completed" | "aborted" | "stopped">,
  reason: string | null,
  now: number,
) => ({ state, reason, nextAt: null, remainingMs: null, updatedAt: now, endedAt: now });

/** Returns what a change has that stops a ramp. The strategy keeps what it has. */
export function stopping(row: RampRow, reason: string, now: number) {
  const after = { ...row, state: "stopped" as const };
  return {
    columns: ended("stopped", reason, now),
    entry: rampEntry("stopped", row, after, { reason }),
    event: rampEvent("stopped", after, { reason }),
  };
}
