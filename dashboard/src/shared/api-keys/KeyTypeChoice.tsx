import { KEY_TYPES, type KeyType } from "@feature-flags/permissions/permissions";
import { Group, Radio, type RadioGroupProps, Text } from "@mantine/core";
import { useTranslation } from "../i18n/use-translation.ts";
import classes from "./KeyTypeChoice.module.css";

interface Props extends Omit<RadioGroupProps, "children" | "onChange"> {
  onChange: (type: KeyType) => void;
}

/** Two radio cards. Accepts the props of Mantine's `getInputProps`. */
export function KeyTypeChoice({ onChange, ...props }: Props) {
  const { t } = useTranslation();
  return (
    <Radio.Group {...props} onChange={(type) => onChange(type === "SERVER" ? type : "FRONTEND")}>
      <div className={classes.types}>
        {KEY_TYPES.map((type) => (
          <Radio.Card key={type} value={type} p="sm" className={classes.type}>
            <Group wrap="nowrap" align="flex-start" gap="sm">
              <Radio.Indicator />
              <div>
                <Text size="sm" fw={600}>
                  {t(`apiKeys.typeChoices.${type}`)}
                </Text>
                <Text size="xs" c="dimmed">
                  {t(`apiKeys.typesAtLength.${type}`)}
                </Text>
              </div>
            </Group>
          </Radio.Card>
        ))}
      </div>
    </Radio.Group>
  );
}
