import { type SQL, sql } from "drizzle-orm";
import { atPercentage, type BeforeRamp, phaseAfter, restored } from "../../core/ramps/ramp.ts";
import type { StrategyContent } from "../../core/strategies/strategy.ts";
import type { AuditEntry } from "../../db/audit.ts";
import type { Change } from "../../db/commit.ts";
import type { ReadDb } from "../../db/database.ts";
import type { DomainEvent } from "../../db/outbox.ts";
import { type Call, writes } from "../../access/call.ts";
import type { Authority } from "../../changes/commit-under-protection.ts";
import { attempt, type Executed } from "../../changes/execute.ts";
import { staleRow } from "../../model/optimistic-update.ts";
import { findStrategies, strategiesHaveVersions } from "../../model/strategies/queries.ts";
import * as queries from "../../model/ramps/queries.ts";
import type { RampRow } from "../../model/ramps/queries.ts";
import { ended, rampEntry, rampEvent, stopping } from "../../model/ramps/records.ts";
import { evaluationsBefore } from "../../changes/started-ramps.ts";

const scopeOf = ({ projectId, environmentId }: RampRow) => ({ projectId, environmentId });

/** What happens to a ramp, besides a change of its strategy. */
interface Move {
  readonly columns: Parameters<typeof queries.updateRamp>[1];
  readonly audit: readonly [AuditEntry, ...AuditEntry[]];
  readonly events: readonly DomainEvent[];
  /** When the service looks at the ramp next, epoch milliseconds. Null: never. */
  readonly nextAt?: number | null;
}

/** Returns the change of a ramp. Fails if somebody has moved the ramp since it was read. */
function changeOf(row: RampRow, { columns, audit, events, nextAt = null }: Move) {
  return {
    guards: [{ holds: queries.isAsRead(row), error: staleRow }],
    statements: [queries.updateRamp(row.id, columns)],
    audit,
    events,
    ...(nextAt !== null && { plans: { projectId: row.projectId, at: nextAt } }),
  } satisfies Change;
}

/** Moves a ramp without a change of its strategy. Throws: `staleRow`, 403. */
export const move = async (call: Call, row: RampRow, made: Move): Promise<void> => {
  await writes(call, "strategy:write", scopeOf(row)).commit(changeOf(row, made));
};

interface Written {
  readonly content: (before: StrategyContent) => StrategyContent;
  readonly isApproved: Authority["isApproved"];
  /** Makes the move from the version of the strategy after the change. */
  readonly moved: (strategyVersion: number) => Move;
}

/**
 * Moves a ramp together with its strategy, in one commit. Throws: `staleRow` if somebody has changed
 * one of them, and the errors of `attempt`.
 */
async function write(
  call: Call,
  db: ReadDb,
  row: RampRow,
  { content, isApproved, moved }: Written,
): Promise<Executed> {
  const [strategy] = await findStrategies(db, [row]);
  if (strategy?.version !== row.strategyVersion) throw staleRow;
  const { flagId, environmentId, strategyVersion: version } = row;
  const operation = {
    kind: "strategy.replace" as const,
    target: { flag: { flagId }, environmentId },
    ifMatch: [version],
    input: content(strategy.content),
  };
  const extend = (own: Change | undefined): Change => {
    const change = changeOf(row, moved(own ? version + 1 : version));
    if (!own)
      return {
        ...change,
        guards: [...change.guards, { holds: strategiesHaveVersions([strategy]), error: staleRow }],
      };
    const [first, ...others] = own.audit.map((entry) =>
      Object.assign({}, entry, { rampId: row.id }),
    );
    return {
      ...own,
      ...change,
      guards: [...change.guards, ...(own.guards ?? [])],
      statements: [...own.statements, ...change.statements],
      audit: first ? [first, ...others, ...change.audit] : change.audit,
      events: [...(own.events ?? []), ...change.events],
    };
  };
  return attempt(call, [operation], {
    projectId: row.projectId,
    extend,
    authority: { isApproved },
    errorFor: ([first]) => (first && first.fault !== "version" ? first.error : staleRow),
  });
}

/**
 * Executes the next step of a ramp, or completes it after the last one. Throws: 409 if the environment
 * requires more approvals than the ramp has, 403 if the actor may not write there, and the errors of
 * `write`.
 */
export async function goOn(call: Call, db: ReadDb, row: RampRow): Promise<void> {
  const step = row.step + 1;
  const next = row.steps[step];
  const now = call.now();
  if (!next) {
    const after = { ...row, state: "completed" as const };
    return move(call, row, {
      columns: ended("completed", null, now),
      audit: [rampEntry("completed", row, after)],
      events: [rampEvent("completed", after)],
    });
  }
  const phase = phaseAfter(row.steps, step, now);
  const isLast = phase.state === "completed";
  const stepped = { ...row, step, state: isLast ? ("running" as const) : phase.state };
  const completed = { ...stepped, state: "completed" as const };
  const evaluations = await evaluationsBefore(call, db, row);
  await write(call, db, row, {
    content: (before) => atPercentage(before, row.ruleId, next.exactPercentage),
    isApproved: (_, required) => queries.hasApprovals(row.id, required),
    moved: (strategyVersion) => ({
      columns: {
        ...phase,
        step,
        strategyVersion,
        evaluationsBefore: evaluations,
        stepAt: now,
        updatedAt: now,
        endedAt: isLast ? now : null,
      },
      audit: [
        rampEntry("stepped", row, stepped),
        ...(isLast ? [rampEntry("completed", stepped, completed)] : []),
      ],
      events: [
        rampEvent("stepped", stepped),
        ...(isLast ? [rampEvent("completed", completed)] : []),
      ],
      nextAt: phase.nextAt,
    }),
  });
}

/** An abort by a person needs no approval, because it restores what was there before the ramp. */
export const NO_APPROVAL = (): SQL => sql`1 = 1`;

/** Restores what a ramp has changed. Throws: the errors of `write`. */
export async function abort(
  call: Call,
  db: ReadDb,
  row: RampRow,
  { reason, isApproved }: Ending,
): Promise<Executed> {
  const after = { ...row, state: "aborted" as const };
  return write(call, db, row, {
    // The service has written it in this form.
    content: (before) => restored(before, row.ruleId, row.before as BeforeRamp),
    isApproved,
    moved: (strategyVersion) => ({
      columns: { ...ended("aborted", reason, call.now()), strategyVersion },
      audit: [rampEntry("aborted", row, after)],
      events: [rampEvent("aborted", after, reason === null ? {} : { reason })],
    }),
  });
}

interface Ending {
  readonly reason: string | null;
  readonly isApproved: Authority["isApproved"];
}

/** Pauses a ramp. It keeps the rest of its hold. Throws: the errors of `move`. */
export function pause(call: Call, row: RampRow, reason: string | null): Promise<void> {
  const now = call.now();
  const after = { ...row, state: "paused" as const };
  return move(call, row, {
    columns: {
      state: "paused",
      remainingMs: row.nextAt === null ? null : Math.max(0, row.nextAt - now),
      nextAt: null,
      reason,
      updatedAt: now,
    },
    audit: [rampEntry("paused", row, after)],
    events: [rampEvent("paused", after, reason === null ? {} : { reason })],
  });
}

/** Stops a ramp: the strategy keeps what it has. Throws: the errors of `move`. */
export function stop(call: Call, row: RampRow, reason: string): Promise<void> {
  const { columns, entry, event } = stopping(row, reason, call.now());
  return move(call, row, { columns, audit: [entry], events: [event] });
}
