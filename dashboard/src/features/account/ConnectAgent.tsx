import { Stack, Switch, Tabs, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { CopyableCode } from "../../shared/ui/CopyableCode.tsx";
import { agentLines, TOKEN } from "./agent-lines.ts";

/** Shows the lines that connect an agent with the service, with OAuth or a token. One tab per program. */
export function ConnectAgent() {
  const { t } = useTranslation();
  const [withToken, setWithToken] = useState(false);
  const programs = agentLines(location.origin, withToken);
  return (
    <Stack gap="sm">
      <Tabs defaultValue={programs[0]?.id ?? null} keepMounted={false}>
        <Tabs.List aria-label={t("connectAgent.program")}>
          {programs.map(({ id, name }) => (
            <Tabs.Tab key={id} value={id}>
              {name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {programs.map(({ id, name, file, lines, hasToken }) => (
          <Tabs.Panel key={id} value={id} pt="xs">
            <Text size="sm" mb="xs">
              {file === undefined
                ? t("connectAgent.inTerminal")
                : t("connectAgent.inFile", { file })}{" "}
              {hasToken ? t("connectAgent.replace", { token: TOKEN }) : t("connectAgent.asks")}
            </Text>
            <CopyableCode name={t("connectAgent.linesOf", { program: name })} code={lines} />
          </Tabs.Panel>
        ))}
      </Tabs>
      <Switch
        label={t("connectAgent.withToken")}
        description={t("connectAgent.withTokenHint")}
        checked={withToken}
        onChange={(event) => setWithToken(event.currentTarget.checked)}
      />
      <Text size="xs" c="dimmed">
        {t("connectAgent.bounds")}
      </Text>
    </Stack>
  );
}
