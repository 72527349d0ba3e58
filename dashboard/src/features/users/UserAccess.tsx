import { Stack, Text, Title } from "@mantine/core";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { Agents } from "../../shared/tokens/Agents.tsx";
import { TokenList } from "../../shared/tokens/TokenList.tsx";

/** The tokens and the connected agents of a user, with buttons to revoke them. */
export function UserAccess({ id }: { id: number }) {
  const { t } = useTranslation();
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        {t("users.accessText")}
      </Text>
      <div>
        <Title order={3} size="h5">
          {t("tokens.title")}
        </Title>
        <TokenList of={{ userId: id }} />
      </div>
      <div>
        <Title order={3} size="h5">
          {t("agents.title")}
        </Title>
        <Agents userId={id} />
      </div>
    </Stack>
  );
}
