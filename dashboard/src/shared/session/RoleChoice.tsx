import { ROLES } from "@feature-flags/permissions/permissions";
import { Radio, Stack } from "@mantine/core";
import { useTranslation } from "../i18n/use-translation.ts";

interface Props {
  value?: string;
  onChange?: (role: string) => void;
}

export function RoleChoice(props: Props) {
  const { t } = useTranslation();
  return (
    <Radio.Group label={t("users.role")} {...props}>
      <Stack gap="xs" mt="xs">
        {ROLES.map((role) => (
          <Radio
            key={role}
            value={role}
            label={t(`users.roles.${role}`)}
            description={t(`users.roleMeans.${role}`)}
          />
        ))}
      </Stack>
    </Radio.Group>
  );
}
