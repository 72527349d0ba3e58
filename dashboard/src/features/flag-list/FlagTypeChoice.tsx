import { Radio, Stack, Text } from "@mantine/core";
import type { Flag } from "../../shared/api/types.ts";
import { FlagTypeBadge } from "../../shared/flags/FlagBadges.tsx";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import classes from "./FlagTypeChoice.module.css";

interface Props {
  value: Flag["flagType"];
  onChange: (type: Flag["flagType"]) => void;
}

/** Explains both types, because the type of a flag cannot be changed later. */
export function FlagTypeChoice({ value, onChange }: Props) {
  const { t } = useTranslation();
  const choices = [
    { type: "RELEASE", hint: t("flagForms.releaseHint") },
    { type: "KILLSWITCH", hint: t("flagForms.killSwitchHint") },
  ] as const;
  return (
    <Radio.Group
      label={t("flags.type")}
      value={value}
      onChange={(chosen) => onChange(chosen === "KILLSWITCH" ? chosen : "RELEASE")}
    >
      <Stack gap="xs" mt={4}>
        {choices.map(({ type, hint }) => (
          <Radio.Card key={type} value={type} className={classes.card}>
            <Radio.Indicator className={classes.indicator} />
            <span>
              <FlagTypeBadge type={type} />
              <Text size="sm" mt={4} component="span" display="block">
                {hint}
              </Text>
            </span>
          </Radio.Card>
        ))}
      </Stack>
    </Radio.Group>
  );
}
