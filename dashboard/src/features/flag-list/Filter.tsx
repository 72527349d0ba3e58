import { Select } from "@mantine/core";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import classes from "./FlagFilters.module.css";

interface Props {
  label: string;
  data: { value: string; label: string }[];
  value: string | undefined;
  onChange: (value: string | undefined) => void;
  onOpen?: () => void;
}

/** The number of options above which the select of a filter gets a search input. */
const SEARCHABLE = 8;

export function Filter({ label, data, value, onChange, onOpen }: Props) {
  const { t } = useTranslation();
  return (
    <Select
      className={classes.filter}
      data-active={value !== undefined || undefined}
      aria-label={label}
      placeholder={label}
      data={data}
      value={value ?? null}
      onChange={(chosen) => onChange(chosen ?? undefined)}
      {...(onOpen && { onDropdownOpen: onOpen })}
      clearable
      clearButtonProps={{ "aria-label": t("flagForms.clearFilter", { filter: label }) }}
      searchable={data.length > SEARCHABLE}
      nothingFoundMessage={t("flagForms.nothingToChoose")}
      comboboxProps={{ width: "max-content", position: "bottom-start" }}
      maxDropdownHeight={320}
    />
  );
}
