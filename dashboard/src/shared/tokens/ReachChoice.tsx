import { MultiSelect, Radio, Stack } from "@mantine/core";
import type { ReactNode } from "react";
import type { Environment } from "../api/types.ts";
import { useTranslation } from "../i18n/use-translation.ts";
import { type Reach, REACHES } from "./token-limits.ts";
import type { TokenNames } from "./use-token-names.ts";

interface Props {
  environments: readonly Environment[];
  names: TokenNames;
  reach: Reach;
  onReach: (reach: Reach) => void;
  value: readonly number[];
  onChange: (environmentIds: number[]) => void;
  error: ReactNode;
}

/** The environments in which a token changes flags: by default all without production. */
export function ReachChoice(props: Props) {
  const { environments, names, reach, onReach, value, onChange, error } = props;
  const { t } = useTranslation();
  return (
    <Stack gap="xs">
      <Radio.Group
        label={t("tokens.environments")}
        description={t("tokens.environmentsHint")}
        value={reach}
        onChange={(chosen) => onReach(REACHES.find((known) => known === chosen) ?? reach)}
        error={reach === "chosen" ? undefined : error}
        errorProps={{ mt: "xs" }}
      >
        <Stack gap="xs" mt="xs">
          {REACHES.map((known) => (
            <Radio
              key={known}
              value={known}
              // The form looks for this input to focus it after an error.
              {...(known === reach && reach !== "chosen" && { "data-path": "environmentIds" })}
              label={t(`tokens.reaches.${known}`)}
              {...(known === "withoutProduction" && {
                description: t("tokens.withoutProductionHint"),
              })}
            />
          ))}
        </Stack>
      </Radio.Group>
      {reach === "chosen" && (
        <MultiSelect
          aria-label={t("tokens.reaches.chosen")}
          data={environments.map(({ id }) => ({
            value: String(id),
            label: names.environment(id),
          }))}
          value={value.map(String)}
          onChange={(ids) => onChange(ids.map(Number))}
          placeholder={value.length === 0 ? t("tokens.chooseEnvironments") : ""}
          data-path="environmentIds"
          searchable
          hidePickedOptions
          nothingFoundMessage={t("shell.searchEmpty")}
          error={error}
        />
      )}
    </Stack>
  );
}
