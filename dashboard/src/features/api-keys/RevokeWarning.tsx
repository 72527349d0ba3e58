import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { read } from "../../shared/api/request.ts";
import type { ApiKey } from "../../shared/api/types.ts";
import { Trans } from "../../shared/i18n/Trans.tsx";
import { useFormat } from "../../shared/i18n/use-format.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { TimeAgo } from "../../shared/ui/TimeAgo.tsx";

/** The maximum number of applications that the warning names. */
const MAX_NAMED = 5;

interface Props {
  apiKey: ApiKey;
  environment: string;
}

/** When the API key was last used, and which applications may lose access. */
export function RevokeWarning({ apiKey, environment }: Props) {
  const { t } = useTranslation();
  const { list } = useFormat();
  const { keyType, lastUsedAt } = apiKey;
  const { data: instances = [] } = useQuery(instancesQuery(apiKey));
  const apps = [...new Set(instances.map(({ appName, instanceId }) => appName ?? instanceId))];
  return (
    <>
      <Text inherit>
        {lastUsedAt === null ? (
          t("apiKeys.revokeUnused")
        ) : (
          <Trans
            i18nKey="apiKeys.revokeUsed"
            values={{ environment }}
            components={{ when: <strong />, time: <TimeAgo at={lastUsedAt} /> }}
          />
        )}
      </Text>
      {lastUsedAt !== null && apps.length > 0 && (
        <Text inherit mt="xs">
          {t("apiKeys.revokeApps", { environment, apps: list(apps.slice(0, MAX_NAMED)) })}
        </Text>
      )}
      <Text inherit mt="xs">
        {t(`apiKeys.revokeEffect.${keyType}`)}
      </Text>
    </>
  );
}

/**
 * The React Query options that load the 20 most recently seen SDK instances of the API key's
 * environment. The service does not record which API key an SDK instance uses, so some of these SDK
 * instances may use another API key.
 */
const instancesQuery = ({ projectId: id, environmentId }: ApiKey) =>
  read("/api/v1/projects/{id}/client-instances", {
    path: { id },
    query: { environmentId, size: 20 },
  });
