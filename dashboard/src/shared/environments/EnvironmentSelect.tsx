import { Group, Select, type SelectProps } from "@mantine/core";
import type { Environment } from "../api/types.ts";
import { selectOptionsOf } from "../data/select-options.ts";
import { EnvironmentDot } from "./EnvironmentChip.tsx";

interface Props extends Pick<
  SelectProps,
  "label" | "aria-label" | "description" | "required" | "error" | "w"
> {
  environments: readonly Pick<Environment, "id" | "name">[];
  value: number;
  onChange: (id: number) => void;
}

/** The number of options above which the select gets a search input. */
const SEARCHABLE = 8;

/** A select of one environment of the project in the URL, with the colours of the environments. */
export function EnvironmentSelect({ environments, value, onChange, ...rest }: Props) {
  return (
    <Select
      {...rest}
      data={selectOptionsOf(environments)}
      value={String(value)}
      onChange={(id) => id !== null && onChange(Number(id))}
      allowDeselect={false}
      searchable={environments.length > SEARCHABLE}
      {...environmentColours(value)}
    />
  );
}

/**
 * The properties of a select of environments that show their colours beside the options and beside
 * the selected one. An option whose value is no id, such as "all", gets no colour.
 */
const environmentColours = (
  selected: number | undefined,
): Pick<SelectProps, "leftSection" | "renderOption"> => ({
  leftSection: selected !== undefined && <EnvironmentDot id={selected} />,
  renderOption: ({ option }) => (
    <Group gap="xs" wrap="nowrap">
      {Number.isNaN(Number(option.value)) || <EnvironmentDot id={Number(option.value)} />}
      {option.label}
    </Group>
  ),
});
