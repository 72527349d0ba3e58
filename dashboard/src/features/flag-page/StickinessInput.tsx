import { Autocomplete, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { DEFAULT_STICKINESS } from "@feature-flags/evaluation/context";
import { contextsQuery } from "../../shared/data/project-lists.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { WithHelp } from "../../shared/ui/HelpButton.tsx";

interface Props {
  projectId: number;
  label: string;
  description: ReactNode;
  /** Describes the default, which applies while no field is chosen. */
  placeholder: string;
  value: string | null;
  onChange: (field: string | null) => void;
  error: string | undefined;
}

/** The context field that decides about a roll-out or a split. Accepts any name. */
export function StickinessInput(props: Props) {
  const { projectId, value, onChange, description, ...rest } = props;
  const { t } = useTranslation();
  const [wasFocused, setWasFocused] = useState(false);
  const { data: contexts = [] } = useQuery({ ...contextsQuery(projectId), enabled: wasFocused });
  const usual: readonly string[] = DEFAULT_STICKINESS;
  const own = contexts.filter(({ contextKey }) => !usual.includes(contextKey));
  const names = new Map(contexts.map(({ contextKey, name }) => [contextKey, name]));
  const input = (
    <Autocomplete
      {...rest}
      data={[
        { group: t("flag.stickinessUsual"), items: [...DEFAULT_STICKINESS] },
        { group: t("flag.stickinessOwn"), items: own.map(({ contextKey }) => contextKey) },
      ]}
      value={value ?? ""}
      onChange={(field) => onChange(field === "" ? null : field)}
      onFocus={() => setWasFocused(true)}
      clearable
      clearButtonProps={{ "aria-label": t("flag.stickinessClear") }}
      maxLength={200}
      spellCheck={false}
      autoCapitalize="off"
      renderOption={({ option }) => (
        <Group gap="xs" justify="space-between" flex={1}>
          <Text size="sm" ff="monospace">
            {option.value}
          </Text>
          <Text size="xs" c="dimmed">
            {names.get(option.value)}
          </Text>
        </Group>
      )}
    />
  );
  return (
    <WithHelp about={rest.label} input={input}>
      {description}
    </WithHelp>
  );
}
