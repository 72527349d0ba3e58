import type { Schemas } from "../../../shared/api/types.ts";

type Ramp = Pick<Schemas["Ramp"], "steps" | "step" | "stepAt" | "nextAt">;

const MINUTE_MS = 60_000;

/**
 * Returns when the steps after the present one begin, ISO 8601, by their index. Undefined for a step
 * that begins when somebody continues, and for all steps after it.
 */
export function stepTimes({ steps, step, nextAt }: Ramp): readonly (string | undefined)[] {
  let at = nextAt === null ? undefined : Date.parse(nextAt);
  return steps.map(({ holdMinutes }, index) => {
    if (index <= step || at === undefined) return undefined;
    const begins = new Date(at).toISOString();
    at = holdMinutes === null ? undefined : at + holdMinutes * MINUTE_MS;
    return begins;
  });
}

/** Returns which share of the hold of the present step is over, 0 to 1. `now`: epoch milliseconds. */
export function progressOf({ steps, step, stepAt, nextAt }: Ramp, now = Date.now()): number {
  if (step === steps.length - 1) return 1;
  if (nextAt === null) return 0;
  const [from, to] = [Date.parse(stepAt), Date.parse(nextAt)];
  return to <= from ? 1 : Math.min(1, Math.max(0, (now - from) / (to - from)));
}
