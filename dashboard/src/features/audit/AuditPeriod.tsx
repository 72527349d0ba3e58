import { DateInput } from "@mantine/dates";
import "@mantine/dates/styles.layer.css";
// oxlint-disable-next-line import/no-unassigned-import -- the imported file registers the locale with dayjs
import "dayjs/locale/de";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import type { Filter } from "../../shared/list/FilterControls.tsx";
import { dateOf, DAY_MS } from "../../shared/time.ts";
import { AUDIT_RANGES, type AuditSearch } from "./search-params.ts";

interface Props {
  search: AuditSearch;
  onChange: (search: AuditSearch) => void;
}

/** The filter with ranges such as "7 days", whose value `dates` stands for own dates. */
export function usePeriod(
  { range, from, to, ...others }: AuditSearch,
  onChange: Props["onChange"],
) {
  const { t } = useTranslation();
  const hasDates = from !== undefined || to !== undefined;
  return {
    label: t("history.audit.period"),
    options: ([...AUDIT_RANGES, "dates"] as const).map((value) => ({
      value,
      label: t(`history.audit.ranges.${value}`),
    })),
    value: hasDates ? "dates" : range,
    onChange: (value: string | undefined) =>
      onChange(
        value === "dates"
          ? { ...others, from: from ?? dateOf(Date.now() - 7 * DAY_MS), to }
          : { ...others, range: AUDIT_RANGES.find((known) => known === value) },
      ),
  } satisfies Filter;
}

/** The inputs for the first and the last day of a period. */
export function AuditDates({ search: { from, to, ...others }, onChange }: Props) {
  const { t, language } = useTranslation();
  const setDates = (first: string | null | undefined, last: string | null | undefined) =>
    onChange({ ...others, from: first ?? undefined, to: last ?? undefined });
  const input = {
    locale: language,
    // The date format of the inputs is the same in every language, so that users can also type
    // dates.
    valueFormat: "YYYY-MM-DD",
    placeholder: t("history.audit.dateFormat"),
    clearable: true,
    // Highlight no weekend days, because Mantine shows them in a red that has too little contrast
    // for text.
    weekendDays: [],
    ariaLabels: {
      previousMonth: t("history.audit.previousMonth"),
      nextMonth: t("history.audit.nextMonth"),
      previousYear: t("history.audit.previousYear"),
      nextYear: t("history.audit.nextYear"),
      previousDecade: t("history.audit.previousDecade"),
      nextDecade: t("history.audit.nextDecade"),
    },
    clearButtonProps: { "aria-label": t("common.clear") },
  };
  return (
    <>
      <DateInput
        {...input}
        aria-label={t("history.audit.from")}
        w="10rem"
        value={from ?? null}
        {...(to !== undefined && { maxDate: to })}
        onChange={(value) => setDates(value, to)}
      />
      <DateInput
        {...input}
        aria-label={t("history.audit.to")}
        w="10rem"
        value={to ?? null}
        {...(from !== undefined && { minDate: from })}
        onChange={(value) => setDates(from, value)}
      />
    </>
  );
}
