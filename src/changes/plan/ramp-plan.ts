import { conflict, notFound } from "../../core/errors/api-error.ts";
import { atPercentage, beforeRamp, phaseAfter } from "../../core/ramps/ramp.ts";
import { rampEntry, rampEvent, OBSTACLES, stopping } from "../../model/ramps/records.ts";
import type { OperationOf } from "./operation.ts";
import { Refusal, strategyKey } from "./state.ts";
import { setContent, strategyIn } from "./strategy-plan.ts";
import { assertVersion, type Work } from "./work.ts";

type RampStart = OperationOf<"ramp.start">;
type Strategy = ReturnType<typeof strategyIn>;

/**
 * Plans the start of a ramp with its first step. An active ramp of the strategy that cannot go on,
 * because somebody has changed the strategy, stops. Throws: `Refusal`.
 */
export function planRamp(work: Work, operation: RampStart, n: number): void {
  const row = strategyIn(work, operation.target);
  assertVersion(operation, row.version, row.flag.key);
  const { steps, stop, minEvaluations = null, changeRequestId = null } = operation.input;
  const { ruleId = null } = operation.input;
  assertStartable(row, ruleId);
  stopObstructed(work, row, n);
  const { flagId, flag, environmentId, environmentName, content } = row;
  const { projectId, key: flagKey, name: flagName } = flag;
  const id = work.newId("ramps");
  const after = atPercentage(content, ruleId, steps[0]?.exactPercentage ?? 0);
  const record = { rampId: id };
  const isChanged = setContent(work, row, { after, operation: n, record });
  // Later steps change verdicts, also if the first step changes none.
  if (!isChanged) work.changeRules({ key: flagKey, name: flagName }, environmentId, "any");
  const { now } = work;
  const phase = phaseAfter(steps, 0, now);
  const ramp = {
    id,
    projectId,
    flagId,
    environmentId,
    ruleId,
    steps,
    step: 0,
    ...phase,
    before: beforeRamp(content, ruleId),
    strategyVersion: row.version + (isChanged ? 1 : 0),
    minEvaluations,
    stopAction: stop?.action ?? null,
    stopHash: stop?.hash ?? null,
    changeRequestId,
    stepAt: now,
    createdAt: now,
    updatedAt: now,
    endedAt: phase.state === "completed" ? now : null,
    flagKey,
    flagName,
    environmentName,
  };
  work.ramps.push(ramp);
  const started = rampEntry("started", undefined, ramp, { ruleId, steps, minEvaluations });
  work.records.push({ operation: n, audit: [started], event: rampEvent("started", ramp) });
  if (phase.state === "completed")
    work.records.push({
      operation: n,
      audit: [rampEntry("completed", { ...ramp, state: "running" }, ramp)],
      event: rampEvent("completed", ramp),
    });
}

/** Throws: 409 for an archived flag or for a rule of a flag that is off, 404 for an unknown rule. */
function assertStartable({ flag, content }: Strategy, ruleId: string | null): void {
  if (flag.archived) {
    const message = "An archived flag cannot have a ramp; unarchive the flag first";
    throw new Refusal(conflict(message), "archived", flag.key);
  }
  if (ruleId === null) return;
  if (!content.rules.some((rule) => rule.id === ruleId))
    throw new Refusal(notFound("The rule does not exist in the strategy"));
  if (!content.enabled)
    throw new Refusal(
      conflict("The flag is off in the environment; turn it on before a ramp of a rule"),
    );
}

/** Throws: 409 if the strategy has an active ramp that can go on. */
function stopObstructed(work: Work, { flagId, environmentId }: Strategy, n: number): void {
  const active = work.initial.ramps.get(strategyKey(flagId, environmentId));
  if (!active) return;
  if (active.obstacle === null)
    throw new Refusal(
      conflict(`The strategy has the active ramp ${active.id}; abort it, or wait for its end`),
    );
  const { entry, event } = stopping(active, OBSTACLES[active.obstacle], work.now);
  work.stoppedRamps.push(active);
  work.records.push({ operation: n, audit: [entry], event });
}
