import { Autocomplete, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { DEFAULT_STICKINESS } from "@feature-flags/evaluation/context";
import { contextsQuery } from "../../shared/data/contexts.ts";

interface Props {
  projectId: number;
  value: string | null;
  onChange: (field: string | null) => void;
  /** True at a roll-out of 0 % or 100 %, at which the stickiness field has no effect. */
  hasNoEffect: boolean;
  error: string | undefined;
}

/**
 * An input for the stickiness field: the context field whose value decides whether a user is within
 * the roll-out percentage. Suggests context fields, but accepts any name.
 */
export function StickinessInput({ projectId, value, onChange, hasNoEffect, error }: Props) {
  const { t } = useTranslation();
  const { data: contexts = [] } = useQuery(contextsQuery(projectId));
  const usual: readonly string[] = DEFAULT_STICKINESS;
  const own = contexts.filter(({ contextKey }) => !usual.includes(contextKey));
  const names = new Map(contexts.map(({ contextKey, name }) => [contextKey, name]));
  return (
    <Autocomplete
      label={t("strategy.stickiness.label")}
      description={
        <>
          {t("strategy.stickiness.hint")}
          {hasNoEffect && ` ${t("flag.stickinessIdle")}`}
        </>
      }
      placeholder={t("flag.stickinessDefault")}
      data={[
        { group: t("flag.stickinessUsual"), items: [...DEFAULT_STICKINESS] },
        { group: t("flag.stickinessOwn"), items: own.map(({ contextKey }) => contextKey) },
      ]}
      value={value ?? ""}
      onChange={(field) => onChange(field === "" ? null : field)}
      clearable
      clearButtonProps={{ "aria-label": t("flag.stickinessClear") }}
      maxLength={200}
      spellCheck={false}
      autoCapitalize="off"
      error={error}
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
}
