import { Select, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { describeError } from "../../../shared/api/describe-error.ts";
import { useTranslation } from "../../../shared/i18n/use-translation.ts";
import { flagSearchQuery } from "./flag-queries.ts";

/** How long the user must pause before the next search, in milliseconds. */
const PAUSE_MS = 200;

interface Props {
  className: string;
  projectId: number;
  /** The keys of the flags that cannot be chosen, unless one is the value. */
  taken: readonly string[];
  /** The key of the chosen flag. Empty for none. */
  value: string;
  /** The name of the chosen flag, if it is known. */
  name: string | undefined;
  onChange: (key: string) => void;
  error: string | undefined;
}

/** An input for a flag of a project, which the user finds by name or key. */
export function FlagSelect(props: Props) {
  const { className, projectId, taken, value, name, onChange, error } = props;
  const { t, language } = useTranslation();
  const chosen = value === "" ? undefined : { value, label: name ?? value };
  const [typed, setTyped] = useState("");
  // Does not search for the name of the chosen flag, which the input shows.
  const [search] = useDebouncedValue(typed === chosen?.label ? "" : typed.trim(), PAUSE_MS);
  const query = useQuery(flagSearchQuery(projectId, search));
  const { data: found = [] } = query;
  const offered = found.flatMap(({ key, name: label }) =>
    taken.includes(key) ? [] : [{ value: key, label }],
  );
  return (
    <Select
      className={className}
      label={t("prerequisites.flag")}
      placeholder={t("prerequisites.flagPlaceholder")}
      data={chosen ? [chosen, ...offered] : offered}
      value={value === "" ? null : value}
      onChange={(key) => key !== null && onChange(key)}
      searchable
      // The form focuses this input when it opens.
      openOnFocus={false}
      onSearchChange={setTyped}
      // Disables the filter of the input, because the API has filtered the flags already.
      filter={({ options }) => options}
      renderOption={({ option }) => (
        <div>
          <Text size="sm">{option.label}</Text>
          {option.label !== option.value && (
            <Text size="xs" c="dimmed" ff="monospace">
              {option.value}
            </Text>
          )}
        </div>
      )}
      nothingFoundMessage={
        query.isError
          ? describeError(t, language, query.error).message
          : t(query.isPending ? "common.loading" : "prerequisites.nothingFound")
      }
      onDropdownOpen={() => {
        if (query.isError) void query.refetch();
      }}
      maxDropdownHeight={280}
      allowDeselect={false}
      error={error}
    />
  );
}
