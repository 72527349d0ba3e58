import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { Usage } from "./usage.ts";

/** A range of 24 hours touches 25 full hours. */
const MAX_POINTS_OF_A_DAY = 25;

/** Whether the series has hourly points of several days. */
export const hasManyDays = ({ interval, series }: Usage): boolean =>
  interval === "hour" && series.length > MAX_POINTS_OF_A_DAY;

/**
 * Formats the times of a series, `short` for the axis and `long` for text: hours in the reader's
 * time zone, days in UTC, as the service counts them.
 */
export function useTimeLabels(usage: Usage) {
  const { i18n } = useTranslation();
  const { interval } = usage;
  const isLong = hasManyDays(usage);
  return useMemo(() => {
    const format = (options: Intl.DateTimeFormatOptions) => {
      const formatter = new Intl.DateTimeFormat(i18n.language, options);
      return (at: string) => formatter.format(new Date(at));
    };
    const day = { day: "numeric", month: "short" } as const;
    if (interval === "day")
      return {
        short: format({ ...day, timeZone: "UTC" }),
        long: format({ dateStyle: "medium", timeZone: "UTC" }),
      };
    return {
      short: format(isLong ? day : { hour: "numeric" }),
      long: format({ dateStyle: "medium", timeStyle: "short" }),
    };
  }, [i18n.language, interval, isLong]);
}
