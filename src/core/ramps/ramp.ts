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

export interface Step {
  /** The percentage of the roll-out, 0 to 100, with up to three decimals. */
  readonly exactPercentage: number;
  /** How long the percentage stays before the next step. Null: until a person advances the ramp. */
  readonly holdMinutes: number | null;
}
