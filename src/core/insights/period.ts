import { ApiError } from "../errors/api-error.ts";
import { type Interval, type Period, startOf } from "./series.ts";
import { DAY_MS } from "../lib/time.ts";

interface Kept {
  readonly days: number;
  readonly words: string;
}

/** How far back can be asked, by how finely; db/schema/usage.ts says what is kept. */
type Memory = Readonly<Record<Interval, Kept>>;

export const MEMORY_OF_FLAGS: Memory = {
  hour: { days: 90, words: "hours are kept 90 days, days 2 years" },
  // Two years, one of them a leap year.
  day: { days: 731, words: "what was counted is kept 2 years" },
};

const week: Kept = { days: 7, words: "what one instance or application reported is kept 7 days" };
export const MEMORY_OF_INSTANCES: Memory = { hour: week, day: week };

/** How much is told when nobody says from when. */
const DEFAULT_SPAN_MS: Readonly<Record<Interval, number>> = { hour: DAY_MS, day: 30 * DAY_MS };

/** Up to here a series is by the hour, if nobody says otherwise: 169 points. */
const LONGEST_BY_HOUR_MS = 7 * DAY_MS;

export interface AskedPeriod {
  /** Epoch milliseconds, both inclusive. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly interval?: Interval | undefined;
}

/**
 * The period that is meant: up to now, and as far back as the interval has by default, unless asked
 * otherwise. Errors: 400 when it begins after its end, or before what is kept.
 */
export function periodOf(asked: AskedPeriod, memory: Memory, now: number): Period {
  // Nothing is counted for times to come, and a series without an end would have no last point.
  const to = Math.min(asked.to ?? now, now);
  // Whole days: "the last 90 days" may be on its way for a moment.
  const oldest = (interval: Interval) => startOf("day", now - memory[interval].days * DAY_MS);
  const start = asked.from ?? to - DEFAULT_SPAN_MS.hour;
  const byHour = to - start <= LONGEST_BY_HOUR_MS && start >= oldest("hour");
  const interval = asked.interval ?? (byHour ? "hour" : "day");
  const [name, first] = asked.from === undefined ? ["to", to] : ["from", asked.from];
  if (first < oldest(interval)) throw refused(`${name}: ${memory[interval].words}`);
  const from = asked.from ?? Math.max(to - DEFAULT_SPAN_MS[interval], oldest(interval));
  if (from > to) throw refused("from: must not be after to, nor in the future");
  return { from, to, interval };
}

const refused = (words: string) => new ApiError("BAD_REQUEST", `Invalid query: ${words}`);
