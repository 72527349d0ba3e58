import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { DAY_MS } from "../../shared/time.ts";
import type { AuditRecord } from "../../shared/api/types.ts";
import { useFormat } from "../../shared/i18n/use-format.ts";
import { dateOf } from "./audit-filter.ts";

interface Day {
  name: string;
  records: AuditRecord[];
}

/**
 * A hook that groups audit records, sorted newest first, by day in the time zone of the browser.
 * `now` (epoch milliseconds) decides which days are named "today" and "yesterday".
 */
export function useRecordsByDay(records: readonly AuditRecord[], now: number): Day[] {
  const { t } = useTranslation();
  const { date } = useFormat();
  const [today, yesterday] = [dateOf(now), dateOf(now - DAY_MS)];
  const nameOf = (at: string): string => {
    const day = dateOf(Date.parse(at));
    if (day === today) return t("history.audit.today");
    return day === yesterday ? t("history.audit.yesterday") : date(at);
  };
  const days: Day[] = [];
  for (const record of records) {
    const name = nameOf(record.at);
    const last = days.at(-1);
    if (last?.name === name) last.records.push(record);
    else days.push({ name, records: [record] });
  }
  return days;
}
