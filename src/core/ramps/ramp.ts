import { MINUTE_MS } from "../lib/time.ts";
import type { StrategyContent } from "../strategies/strategy.ts";

/**
 * The state of a ramp.
 * - `waiting`: it holds its percentage until a person advances it.
 * - `running`: it holds its percentage for some time.
 * - `paused`: a person or the stop URL has paused it.
 * - `completed`: all steps were executed.
 * - `aborted`: the percentage before the ramp was restored.
 * - `stopped`: somebody else has changed the strategy, which keeps that change.
 */
export const RAMP_STATES = [
  "waiting",
  "running",
  "paused",
  "completed",
  "aborted",
  "stopped",
] as const;
export type RampState = (typeof RAMP_STATES)[number];

/** The states of a ramp that can go on. */
export const ACTIVE_RAMPS = ["waiting", "running", "paused"] as const satisfies RampState[];

/** What the stop URL of a ramp does. */
export const STOP_ACTIONS = ["pause", "abort"] as const;
export type StopAction = (typeof STOP_ACTIONS)[number];

export interface RampStep {
  /** The percentage of the roll-out, 0 to 100, with up to three decimals. */
  readonly exactPercentage: number;
  /** How long the percentage stays before the next step. Null: until a person advances the ramp. */
  readonly holdMinutes: number | null;
}

/** What happens to ramps, as events, audit records and a metric name it. */
export const RAMP_OUTCOMES = [
  "started",
  "stepped",
  "paused",
  "resumed",
  "aborted",
  "stopped",
  "completed",
] as const;
export type RampOutcome = (typeof RAMP_OUTCOMES)[number];

/** What a ramp changes, as it was before the ramp. A ramp of a rule leaves `enabled` as it is. */
export interface BeforeRamp {
  readonly enabled: boolean;
  /** The percentage of the strategy or of the rule, with its decimals. */
  readonly exactPercentage: number;
}

/** Whether a ramp goes on after a step, and when. */
interface Phase {
  readonly state: Extract<RampState, "waiting" | "running" | "completed">;
  /** When the hold ends, epoch milliseconds. Null: a person ends it, or the ramp is completed. */
  readonly nextAt: number | null;
}

/**
 * Returns how a ramp goes on after it has executed a step at a time (epoch milliseconds). `step` is
 * the index of the step.
 */
export function phaseAfter(steps: readonly RampStep[], step: number, at: number): Phase {
  const { holdMinutes = null } = steps[step] ?? {};
  if (holdMinutes !== null) return { state: "running", nextAt: at + holdMinutes * MINUTE_MS };
  return { state: step + 1 < steps.length ? "waiting" : "completed", nextAt: null };
}

/** Returns what a ramp of a strategy, or of one of its rules, changes, as it is now. */
export function beforeRamp(content: StrategyContent, ruleId: string | null): BeforeRamp {
  const target = ruleId === null ? content : content.rules.find(({ id }) => id === ruleId);
  return { enabled: content.enabled, exactPercentage: (target ?? content).percentage };
}

/** Returns a strategy with the percentage of a step. A ramp of the strategy itself turns the flag on. */
export const atPercentage = (
  content: StrategyContent,
  ruleId: string | null,
  exactPercentage: number,
): StrategyContent => restored(content, ruleId, { enabled: true, exactPercentage });

/** Returns a strategy with what a ramp has changed as it was before the ramp. */
export function restored(
  content: StrategyContent,
  ruleId: string | null,
  { enabled, exactPercentage: percentage }: BeforeRamp,
): StrategyContent {
  if (ruleId === null) return { ...content, enabled, percentage };
  return {
    ...content,
    rules: content.rules.map((rule) => (rule.id === ruleId ? { ...rule, percentage } : rule)),
  };
}
