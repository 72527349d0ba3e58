import { useMemo } from "react";
import { localeOf } from "../i18n/language.ts";
import { useTranslation } from "../i18n/use-translation.ts";
import type { Usage } from "./usage.ts";

/**
 * Returns functions that format the hour or day of usage data: `hour` and `day` for the axis, `long` for
 * texts. Hours are in the time zone of the browser, days in UTC, because the service counts by UTC day.
 */
export function useTimeLabels(interval: Usage["interval"]) {
  const { language } = useTranslation();
  return useMemo(() => {
    const zone = interval === "day" ? { timeZone: "UTC" } : {};
    const format = (options: Intl.DateTimeFormatOptions) => {
      const formatter = new Intl.DateTimeFormat(localeOf(language), { ...options, ...zone });
      return (at: string) => formatter.format(new Date(at));
    };
    const time = interval === "day" ? {} : ({ timeStyle: "short" } as const);
    return {
      hour: format({ timeStyle: "short" }),
      day: format({ day: "numeric", month: "short" }),
      long: format({ dateStyle: "medium", ...time }),
    };
  }, [language, interval]);
}
