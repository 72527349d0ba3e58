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
      leftSection={<EnvironmentDot id={value} />}
      renderOption={({ option }) => (
        <Group gap="xs" wrap="nowrap">
          <EnvironmentDot id={Number(option.value)} />
          {option.label}
        </Group>
      )}
    />
  );
}
