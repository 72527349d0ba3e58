import { List, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { usesUnleashQuery } from "../../shared/data/unleash.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { ErrorAlert } from "../../shared/ui/ErrorAlert.tsx";
import { QueryView } from "../../shared/ui/QueryView.tsx";
import type { Scope } from "./Section.tsx";
import { unleashSdksQuery } from "./queries.ts";

/** How many instances of each SDK of Unleash were seen in the last 24 hours. Empty if there are none. */
export function UnleashSdks({ projectId, environment }: Scope) {
  const use = useQuery(usesUnleashQuery(projectId, environment.id));
  if (use.isError) return <ErrorAlert error={use.error} onRetry={() => void use.refetch()} />;
  return use.data === true ? <Sdks environmentId={environment.id} /> : null;
}

function Sdks({ environmentId }: { environmentId: number }) {
  const { t } = useTranslation();
  return (
    <>
      <Text size="sm" mt="md">
        {t("insights.unleashSdks")}
      </Text>
      <QueryView query={useQuery(unleashSdksQuery(environmentId))}>
        {(sdks) => (
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
        )}
      </QueryView>
    </>
  );
}
