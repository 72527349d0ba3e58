import { useMemo } from "react";
import { localeOf } from "../i18n/language.ts";
import { useTranslation } from "../i18n/use-translation.ts";
import type { Usage } from "./usage.ts";

/**
 * The largest number of hourly points in a time range of 24 hours. Such a range can touch 25 clock
 * hours.
 */
const MAX_POINTS_OF_A_DAY = 25;

/** Whether the usage data is hourly and covers more than 24 hours. */
export const hasManyDays = ({ interval, series }: Usage): boolean =>
  interval === "hour" && series.length > MAX_POINTS_OF_A_DAY;

/**
 * Returns functions that format the hour or day of usage data: `short` for the axis, `long` for
 * texts, and `inRange` for texts that say for which range they are. Hours are in the time zone of
 * the browser, days in UTC, because the service counts by UTC day.
 */
export function useTimeLabels(usage: Usage) {
  const { language } = useTranslation();
  const { interval } = usage;
  const isLong = hasManyDays(usage);
  return useMemo(() => {
    const format = (options: Intl.DateTimeFormatOptions) => {
      const formatter = new Intl.DateTimeFormat(localeOf(language), options);
      return (at: string) => formatter.format(new Date(at));
    };
    const day = { day: "numeric", month: "short" } as const;
    if (interval === "day") {
      const long = format({ dateStyle: "medium", timeZone: "UTC" });
      return { short: format({ ...day, timeZone: "UTC" }), long, inRange: long };
    }
    const long = format({ dateStyle: "medium", timeStyle: "short" });
    return {
      short: format(isLong ? day : { hour: "numeric" }),
      long,
      inRange: isLong ? long : format({ timeStyle: "short" }),
    };
  }, [language, interval, isLong]);
}
