import type { Schemas } from "../../../shared/api/types.ts";

/** The units of a hold, in minutes. */
const UNITS = { minutes: 1, hours: 60, days: 1440 } as const;
type Unit = keyof typeof UNITS | "person";

/** A step in the form. */
export interface StepRow {
  readonly id: string;
  readonly errors: Readonly<Partial<Record<string, string>>>;
  readonly percentage: number;
  readonly hold: number;
  /** `person`: until somebody advances the ramp. */
  readonly unit: Unit;
}

export const newStep = (percentage: number, hold: number, unit: Unit): StepRow => ({
  id: crypto.randomUUID(),
  errors: {},
  percentage,
  hold,
  unit,
});

/** Returns the steps that the form proposes: all above the present percentage. */
export const firstSteps = (from: number, goal: number): StepRow[] => [
  ...[newStep(1, 1, "hours"), newStep(10, 1, "days"), newStep(50, 1, "days")].filter(
    ({ percentage }) => from < percentage && percentage < goal,
  ),
  newStep(goal, 1, "person"),
];

/** The last step ends the ramp, so it has no hold that a person ends. */
export const toSteps = (rows: readonly StepRow[]): Schemas["StartRamp"]["steps"] =>
  rows.map(({ percentage, hold, unit }) => ({
    exactPercentage: percentage,
    holdMinutes: unit === "person" ? null : hold * UNITS[unit],
  }));

/** Returns how many percent lose the flag when the ramp starts; 0 if the first step takes it from nobody. */
export const lostAtStart = (rows: readonly Pick<StepRow, "percentage">[], from: number): number =>
  Math.max(0, from - (rows[0]?.percentage ?? from));
