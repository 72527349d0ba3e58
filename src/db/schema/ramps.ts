import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import {
  ACTIVE_RAMPS,
  type RampState,
  type RampStep,
  type StopAction,
} from "../../core/ramps/ramp.ts";
import { id, time } from "./columns.ts";
import { environments, flags, projectId } from "./projects.ts";
import type { ActorKind } from "./records.ts";

/** The SQL condition on the column `state` that a ramp can go on. */
export const IS_ACTIVE = `state IN (${ACTIVE_RAMPS.map((state) => `'${state}'`).join(", ")})`;

/** The ramps: percentages that the service raises in steps. */
export const ramps = sqliteTable(
  "ramps",
  {
    id: id(),
    projectId: projectId(),
    flagId: integer("flag_id")
      .notNull()
      .references(() => flags.id, { onDelete: "cascade" }),
    environmentId: integer("environment_id")
      .notNull()
      .references(() => environments.id, { onDelete: "cascade" }),
    /** The ordered rule whose percentage is raised. Null: that of the strategy itself. */
    ruleId: text("rule_id"),
    steps: text("steps", { mode: "json" }).$type<readonly RampStep[]>().notNull(),
    /** The index of the step that was executed last. */
    step: integer("step").notNull().default(0),
    state: text("state").$type<RampState>().notNull(),
    /** What the ramp changes, as it was before the ramp: what an abort restores. */
    before: text("before", { mode: "json" }).$type<unknown>().notNull(),
    /** The version of the strategy after the last step. Another version stops the ramp. */
    strategyVersion: integer("strategy_version").notNull(),
    /** How often the flag must be evaluated during a hold. Null: no matter how often. */
    minEvaluations: integer("min_evaluations"),
    /** How often the flag had been evaluated in the hour of the last step, before that step. */
    evaluationsBefore: integer("evaluations_before").notNull().default(0),
    /** What the stop URL does, and the SHA-256 of its token. Null: the ramp has no stop URL. */
    stopAction: text("stop_action").$type<StopAction>(),
    stopHash: text("stop_hash").unique(),
    /** How many approvals the start of the ramp needed. They cover all its steps. */
    approvals: integer("approvals").notNull().default(0),
    changeRequestId: integer("change_request_id"),
    /** When the last step was executed. */
    stepAt: time("step_at").notNull(),
    /** When the hold ends. Null: a person ends it, or the ramp does not run. */
    nextAt: time("next_at"),
    /** What is left of the hold of a paused ramp, milliseconds. Null: a person ends it. */
    remainingMs: integer("remaining_ms"),
    /** The actor in whose name the service executes the steps. */
    starterKind: text("starter_kind").$type<ActorKind>().notNull(),
    starterId: integer("starter_id"),
    starterName: text("starter_name").notNull(),
    /** Why the ramp is paused or has ended. Null: it ran to its end, or runs. */
    reason: text("reason"),
    createdAt: time("created_at").notNull(),
    updatedAt: time("updated_at").notNull(),
    /** Null while the ramp is active. */
    endedAt: time("ended_at"),
  },
  (t) => [
    index("ramps_project").on(t.projectId, t.state, t.id),
    index("ramps_flag").on(t.flagId, t.id),
    index("ramps_environment").on(t.environmentId),
    index("ramps_due")
      .on(t.nextAt, t.projectId)
      .where(sql`next_at IS NOT NULL`),
    uniqueIndex("ramps_active").on(t.flagId, t.environmentId).where(sql.raw(IS_ACTIVE)),
  ],
);
