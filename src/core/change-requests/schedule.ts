import { type FieldError, invalid } from "../errors/api-error.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../lib/time.ts";

/** When the service applies a change request. All null: somebody applies it. */
export interface Schedule {
  /** Epoch milliseconds. */
  readonly applyAt: number | null;
  /** Until when the service tries, epoch milliseconds. */
  readonly latestAt: number | null;
  /** The IANA time zone in which people see the times, such as `Europe/Berlin`. */
  readonly timeZone: string | null;
}

/** The schedule of a request that somebody applies. */
export const UNSCHEDULED: Schedule = { applyAt: null, latestAt: null, timeZone: null };

/** The schedule that a caller asks for. A field that is undefined stays as it is. */
export type AskedSchedule = { readonly [F in keyof Schedule]?: Schedule[F] | undefined };

/** How long the service tries by default, milliseconds. */
const DEFAULT_WINDOW_MS = HOUR_MS;
const MAX_WINDOW_MS = 30 * DAY_MS;
/** A time this long before now is accepted as now, milliseconds. */
const TOLERANCE_MS = MINUTE_MS;
/** A leap year, so that the same day of the next year is always accepted. */
const MAX_AHEAD_MS = 366 * DAY_MS;

/**
 * Returns the schedule of a request after a change of it. `applyAt: null` removes the schedule, and
 * a new `applyAt` without `latestAt` gets the default of an hour. Throws: 400.
 */
export function changedSchedule(before: Schedule, asked: AskedSchedule, now: number): Schedule {
  const { applyAt = before.applyAt, timeZone = before.timeZone } = asked;
  if (applyAt === null) {
    const alone = (["latestAt", "timeZone"] as const).filter((field) => asked[field] != null);
    if (alone.length > 0)
      throw invalid(alone.map((field) => ({ field, message: "requires applyAt" })));
    return UNSCHEDULED;
  }
  const isKept = asked.applyAt === undefined && asked.latestAt === undefined;
  const latestAt =
    asked.latestAt ?? (isKept ? before.latestAt : null) ?? applyAt + DEFAULT_WINDOW_MS;
  const errors: FieldError[] = [];
  const refuse = (field: keyof Schedule, message: string) => errors.push({ field, message });
  if (asked.applyAt != null) {
    if (applyAt < now - TOLERANCE_MS) refuse("applyAt", "must not be in the past");
    if (applyAt > now + MAX_AHEAD_MS) refuse("applyAt", "must be at most a year ahead");
  }
  if (asked.latestAt != null) {
    if (latestAt <= Math.max(applyAt, now))
      refuse("latestAt", "must be after applyAt and after now");
    if (latestAt > applyAt + MAX_WINDOW_MS)
      refuse("latestAt", "must be at most 30 days after applyAt");
  }
  if (errors.length > 0) throw invalid(errors);
  return { applyAt, latestAt, timeZone };
}

/** Returns the schedule of a row that has its fields among others. */
export const scheduleOf = ({ applyAt, latestAt, timeZone }: Schedule): Schedule => ({
  applyAt,
  latestAt,
  timeZone,
});

/** How long before its time the service looks whether a request is outdated, milliseconds. */
const LOOKS_BEFORE_MS = [DAY_MS, HOUR_MS];

/**
 * Returns when the service looks at a request next: a day and an hour before it applies the request,
 * and when it does so. Times are epoch milliseconds.
 */
export const nextLook = (applyAt: number, now: number): number =>
  LOOKS_BEFORE_MS.map((before) => applyAt - before).find((at) => at > now) ?? applyAt;
