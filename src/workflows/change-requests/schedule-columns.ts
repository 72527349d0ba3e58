import type { Actor } from "@feature-flags/permissions/permissions";
import { nextLook, type Schedule } from "../../core/change-requests/schedule.ts";
import type { Change } from "../../db/commit.ts";
import type { RequestRow } from "../../model/change-requests/queries.ts";

/** The columns that say when the service looks at a request, and in whose name it applies it. */
export type Planned = Pick<RequestRow, "nextAt" | "schedulerKind" | "schedulerId" | "blockedBy">;

/** Returns the columns of a request that an actor has just scheduled, or whose schedule is removed. */
export function plannedBy(actor: Actor, { applyAt }: Schedule, now: number): Planned {
  const isPlanned = applyAt !== null;
  return {
    nextAt: isPlanned ? nextLook(applyAt, now) : null,
    schedulerKind: isPlanned ? actor.kind : null,
    schedulerId: isPlanned && actor.kind !== "system" ? actor.id : null,
    blockedBy: null,
  };
}

/** Returns the part of a change that wakes the scheduler of the project. */
export const plansOf = (projectId: number, { nextAt }: Partial<Planned>): Pick<Change, "plans"> =>
  nextAt == null ? {} : { plans: { projectId, at: nextAt } };
