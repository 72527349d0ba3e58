import { type Amounts, BILLED_COUNTERS, COUNTER_NAMES, type CounterName } from "./counters.ts";
import { costOf, type Price } from "./prices.ts";

/** The period of a bill: 30 UTC days, of which the last is today. */
export const BILL_DAYS = 30;

/** The amount of a billed counter on a UTC day. */
export interface DayAmount {
  /** The start of the day, epoch milliseconds. */
  readonly day: number;
  /** The name of the counter. A release may not know the counters of another release. */
  readonly counter: string;
  readonly amount: number;
}

/** A line of a bill. */
export interface Line {
  readonly name: CounterName;
  readonly unit: (typeof BILLED_COUNTERS)[CounterName]["unit"];
  readonly amount: number;
  readonly price: Price;
  /** The cost beyond the included amount, US$. */
  readonly usd: number;
  /** The first day with an amount, epoch milliseconds; undefined before the first. */
  readonly since: number | undefined;
}

/**
 * Returns the lines of a bill.
 * @param days the amounts of the days of the period
 * @param recent what was counted after these amounts were stored
 * @param today the start of the current UTC day, epoch milliseconds
 */
export const linesOf = (
  days: readonly DayAmount[],
  recent: Amounts,
  today: number,
): readonly Line[] =>
  COUNTER_NAMES.map((name) => {
    const { unit, price } = BILLED_COUNTERS[name];
    const own = days.filter(({ counter }) => counter === name);
    const { [name]: counted = 0 } = recent;
    const amount = own.reduce((sum, one) => sum + one.amount, counted);
    const dates = own.map(({ day }) => day).concat(counted > 0 ? today : []);
    const since = dates.length === 0 ? undefined : Math.min(...dates);
    return { name, unit, amount, price, usd: costOf(price, amount), since };
  });
