import { MultiSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "../i18n/use-translation.ts";
import { type Candidates, candidatesQuery, MAX_REVIEWERS } from "./queries.ts";

export interface ReviewersProps {
  of: Candidates;
  onChange: (userIds: readonly number[]) => void;
}

/** The people whom the user asks to review a change request that they will open. Nobody at first. */
export function ReviewersSelect({ of, onChange }: ReviewersProps) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [isOpened, setIsOpened] = useState(false);
  const { data: people = [] } = useQuery({ ...candidatesQuery(of), enabled: isOpened });
  return (
    <MultiSelect
      label={`${t("changeRequests.reviewers.label")} (${t("common.optional")})`}
      description={t("changeRequests.reviewers.hint")}
      data={people.map(({ userId, name }) => ({ value: String(userId), label: name ?? "" }))}
      value={[...chosen]}
      onChange={(ids) => {
        setChosen(ids);
        onChange(ids.map(Number));
      }}
      onDropdownOpen={() => setIsOpened(true)}
      nothingFoundMessage={t("changeRequests.reviewers.nobody")}
      maxValues={MAX_REVIEWERS}
      searchable
      comboboxProps={{ position: "top" }}
    />
  );
}
