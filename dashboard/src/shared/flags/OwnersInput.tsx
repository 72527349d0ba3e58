import { MultiSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { peopleQuery } from "../data/users.ts";
import { useTranslation } from "../i18n/use-translation.ts";

/** The maximum number of owners of a flag. The API rejects more. */
const MAX_OWNERS = 10;

interface Props {
  value: readonly number[];
  onChange: (ownerIds: number[]) => void;
  error?: ReactNode;
}

/** The people who are responsible for a flag. */
export function OwnersInput({ value, onChange, error }: Props) {
  const { t } = useTranslation();
  const { data: people = [] } = useQuery(peopleQuery);
  return (
    <MultiSelect
      label={`${t("owners.label")} (${t("common.optional")})`}
      description={t("owners.hint")}
      data={people.map(({ id, name }) => ({ value: String(id), label: name }))}
      value={value.map(String)}
      onChange={(ids) => onChange(ids.map(Number))}
      maxValues={MAX_OWNERS}
      searchable
      clearable
      // Below the input, the options would cover the button that saves.
      comboboxProps={{ position: "top" }}
      error={error}
    />
  );
}
