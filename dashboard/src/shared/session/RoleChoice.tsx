import { Radio, Stack } from "@mantine/core";
import type { Role } from "../api/types.ts";
import { useTranslation } from "../i18n/use-translation.ts";

const ROLES = ["VIEWER", "DEVELOPER", "ADMIN"] as const satisfies readonly Role[];

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
