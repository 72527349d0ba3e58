import { Group, Select, type SelectProps, Text } from "@mantine/core";
import type { Environment } from "../api/types.ts";
import { selectOptionsOf } from "../data/select-options.ts";
import { EnvironmentDot } from "./EnvironmentChip.tsx";

interface Props extends Pick<
  SelectProps,
  "label" | "aria-label" | "description" | "required" | "error" | "w"
> {
  environments: readonly Pick<Environment, "id" | "name">[];
  /** Undefined if no environment is chosen. */
  value: number | undefined;
  onChange: (id: number) => void;
  /** Returns a short text that the options show beside the name of the environment. */
  noteOf?: (id: number) => string | undefined;
}

/** The number of options above which the select gets a search input. */
const SEARCHABLE = 8;

/** A select of one environment of the project in the URL, with the colours of the environments. */
export function EnvironmentSelect({ environments, value, onChange, noteOf, ...rest }: Props) {
  return (
    <Select
      {...rest}
      // The whole name, which a narrow select cuts.
      title={environments.find(({ id }) => id === value)?.name}
      data={selectOptionsOf(environments)}
      value={value === undefined ? null : String(value)}
      onChange={(id) => id !== null && onChange(Number(id))}
      allowDeselect={false}
      searchable={environments.length > SEARCHABLE}
      {...environmentColours(value, noteOf)}
    />
  );
}

/**
 * The properties of a select of environments that show their colours beside the options and beside
 * the selected one. An option whose value is no id, such as "all", gets no colour.
 */
const environmentColours = (
  selected: number | undefined,
  noteOf: Props["noteOf"] = () => undefined,
): Pick<SelectProps, "leftSection" | "renderOption"> => ({
  leftSection: selected !== undefined && <EnvironmentDot id={selected} />,
  renderOption: ({ option }) => (
    <Group gap="xs" wrap="nowrap">
      {Number.isNaN(Number(option.value)) || <EnvironmentDot id={Number(option.value)} />}
      {option.label}
      {Number.isNaN(Number(option.value)) || (
        <Text span size="xs" c="dimmed" ml="auto">
          {noteOf(Number(option.value))}
        </Text>
      )}
    </Group>
  ),
});
