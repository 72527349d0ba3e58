import { Select } from "@mantine/core";
import { DateInput } from "@mantine/dates";
import "@mantine/dates/styles.layer.css";
// oxlint-disable-next-line import/no-unassigned-import -- the imported file registers the locale with dayjs
import "dayjs/locale/de";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { DAY_MS } from "../../shared/time.ts";
import { dateOf } from "./audit-filter.ts";
import { AUDIT_RANGES, type AuditSearch } from "./search-params.ts";

interface Props {
  search: AuditSearch;
  onChange: (search: AuditSearch) => void;
}

/** A select with ranges such as "7 days" and, for own dates, inputs for the first and last day. */
export function AuditPeriod({ search, onChange }: Props) {
  const { t, language } = useTranslation();
  const { range, from, to, ...others } = search;
  const hasDates = from !== undefined || to !== undefined;
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
      <Select
        label={t("history.audit.period")}
        data={(["all", ...AUDIT_RANGES, "dates"] as const).map((value) => ({
          value,
          label: t(`history.audit.ranges.${value}`),
        }))}
        value={hasDates ? "dates" : (range ?? "all")}
        onChange={(value) => {
          const known = AUDIT_RANGES.find((one) => one === value);
          if (value === "dates") setDates(dateOf(Date.now() - 7 * DAY_MS), undefined);
          else onChange({ ...others, range: known });
        }}
        allowDeselect={false}
      />
      {hasDates && (
        <>
          <DateInput
            {...input}
            label={t("history.audit.from")}
            value={from ?? null}
            {...(to !== undefined && { maxDate: to })}
            onChange={(value) => setDates(value, to)}
          />
          <DateInput
            {...input}
            label={t("history.audit.to")}
            value={to ?? null}
            {...(from !== undefined && { minDate: from })}
            onChange={(value) => setDates(from, value)}
          />
        </>
      )}
    </>
  );
}
