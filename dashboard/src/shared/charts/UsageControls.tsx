import { Group, Input, SegmentedControl, Select, TextInput } from "@mantine/core";
import { useId, useState } from "react";
import type { Environment } from "../api/types.ts";
import { selectOptionsOf } from "../data/select-options.ts";
import { useTranslation } from "../i18n/use-translation.ts";
import {
  comparedIds,
  type Days,
  lastDays,
  possibleDays,
  problemOf,
  rangeOf,
  searchOf,
  USAGE_RANGES,
  type UsageSearch,
} from "./usage-ranges.ts";

interface Props {
  /** The environments of the project. */
  environments: readonly Environment[];
  /** The id of the environment that is shown. */
  environmentId: number;
  search: UsageSearch;
  onChange: (search: UsageSearch) => void;
}

/** The choice of a time range, and of an environment to compare with. */
export function UsageControls({ environments, environmentId, search, onChange }: Props) {
  const { t } = useTranslation();
  const others = environments.filter(({ id }) => id !== environmentId);
  const [, compare] = comparedIds(environmentId, environments, search);
  const range = rangeOf(search);
  return (
    <Group gap="xs" align="flex-start">
      {others.length > 0 && (
        <Select
          w="11rem"
          aria-label={t("insights.compare")}
          placeholder={t("insights.compare")}
          data={selectOptionsOf(others)}
          value={compare === undefined ? null : String(compare)}
          onChange={(id) => onChange({ ...search, compare: id === null ? undefined : Number(id) })}
          clearable
          clearButtonProps={{ "aria-label": t("common.clear") }}
        />
      )}
      <SegmentedControl
        size="sm"
        aria-label={t("insights.period")}
        data={[...USAGE_RANGES, "custom" as const].map((value) => ({
          value,
          label: t(`insights.ranges.${value}`),
        }))}
        value={typeof range === "string" ? range : "custom"}
        onChange={(value) =>
          onChange({ ...search, ...searchOf(value === "custom" ? lastDays() : value) })
        }
      />
      {typeof range !== "string" && (
        <DaysInput days={range} onDays={(days) => onChange({ ...search, ...searchOf(days) })} />
      )}
    </Group>
  );
}

/** Two inputs for the first and the last day. Days with a problem are not passed on. */
function DaysInput({ days: { from, to }, onDays }: { days: Days; onDays: (days: Days) => void }) {
  const { t } = useTranslation();
  const errorId = useId();
  const [draft, setDraft] = useState<Days>({ from, to });
  const [known, setKnown] = useState(draft);
  // The days of the URL change when the user goes back.
  if (known.from !== from || known.to !== to) {
    setKnown({ from, to });
    setDraft({ from, to });
  }
  const problem = problemOf(draft);
  const input = (name: keyof Days) => (
    <TextInput
      type="date"
      aria-label={t(`insights.${name}`)}
      {...(problem !== undefined && { error: true, "aria-describedby": errorId })}
      min={possibleDays().from}
      max={possibleDays().to}
      value={draft[name]}
      onChange={({ currentTarget: { value } }) => {
        const changed = { ...draft, [name]: value };
        setDraft(changed);
        if (problemOf(changed) === undefined) onDays(changed);
      }}
    />
  );
  return (
    <div>
      <Group gap="xs" wrap="nowrap">
        {input("from")}
        <span aria-hidden>–</span>
        {input("to")}
      </Group>
      {problem && (
        <Input.Error id={errorId} mt={4} role="alert">
          {t(`insights.problems.${problem}`)}
        </Input.Error>
      )}
    </div>
  );
}
