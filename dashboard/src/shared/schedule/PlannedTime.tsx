import { useFormat } from "../i18n/use-format.ts";
import { useTranslation } from "../i18n/use-translation.ts";
import { offsetOf } from "./local-time.ts";

/** A planned time in words, such as "tomorrow 09:00 (UTC+1), in 14 hours". `at` is ISO 8601. */
export function PlannedTime({ at }: { at: string }) {
  const { t } = useTranslation();
  const { dateTime, dayAndTime, relative } = useFormat();
  return (
    <time dateTime={at} title={dateTime(at)}>
      {t("schedule.time", {
        at: dayAndTime(at),
        offset: offsetOf(Date.parse(at)),
        distance: relative(at),
      })}
    </time>
  );
}
