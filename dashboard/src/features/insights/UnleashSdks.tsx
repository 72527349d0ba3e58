import { List, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { usesUnleashQuery } from "../../shared/data/unleash.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import type { Scope } from "./Section.tsx";
import { unleashSdksQuery } from "./queries.ts";

/** How many instances of each SDK of Unleash were seen in the last 24 hours. Empty if there are none. */
export function UnleashSdks({ projectId, environment }: Scope) {
  const { t } = useTranslation();
  const { data: isUsed = false } = useQuery(usesUnleashQuery(projectId, environment.id));
  const { data: sdks = [] } = useQuery({ ...unleashSdksQuery(environment.id), enabled: isUsed });
  if (sdks.length === 0) return null;
  return (
    <>
      <Text size="sm" mt="md">
        {t("insights.unleashSdks")}
      </Text>
      <List size="sm">
        {sdks.map(({ sdkVersion, instances }) => (
          <List.Item key={sdkVersion}>
            {t("insights.unleashSdk", {
              sdk: sdkVersion ?? t("insights.unknownRevision"),
              count: instances,
            })}
          </List.Item>
        ))}
      </List>
    </>
  );
}
