/** At most this many lines above the axis of a chart. */
const MAX_TICKS = 5;

/**
 * Returns the values at which a chart has a line: 0 and the multiples of 1, 2 or 5 times a power of
 * ten, up to the first one that is at least `max`. All are integers.
 */
export function ticksUpTo(max: number): readonly number[] {
  const rough = Math.max(1, max / MAX_TICKS);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough) ?? power;
  const count = Math.max(1, Math.ceil(max / step));
  return Array.from({ length: count + 1 }, (_, index) => index * step);
}

/** A label of the time axis: below the bar with this index, with an hour, a day or both. */
export interface TimeMark {
  readonly index: number;
  readonly hasHour: boolean;
  readonly hasDay: boolean;
}

/** The numbers of hours that may be between two labels with an hour. They divide a day. */
const HOUR_STEPS = [1, 2, 3, 6, 12];

/**
 * Returns the labels of a time axis, which are at least `distance` bars apart. Bars of hours have the hour,
 * and the day where it begins. If there is no room for hours, only days have labels. `times`: the start of each
 * hour or day, ISO 8601.
 */
export function timeMarks(
  times: readonly string[],
  interval: "hour" | "day",
  distance: number,
): readonly TimeMark[] {
  const step = HOUR_STEPS.find((hours) => hours >= distance);
  const marks: TimeMark[] = [];
  let day: string | undefined;
  for (const [index, time] of times.entries()) {
    const at = new Date(time);
    const before = marks.at(-1);
    if (before !== undefined && index - before.index < distance) continue;
    if (interval === "day") marks.push({ index, hasHour: false, hasDay: true });
    else if (step !== undefined && at.getHours() % step === 0) {
      const today = at.toDateString();
      marks.push({ index, hasHour: true, hasDay: today !== day });
      day = today;
    } else if (step === undefined && at.getHours() === 0)
      marks.push({ index, hasHour: false, hasDay: true });
  }
  return marks;
}
