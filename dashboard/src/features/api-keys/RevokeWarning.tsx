import { Text } from "@mantine/core";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { Trans, useTranslation } from "react-i18next";
import { dataOf } from "../../shared/api/response.ts";
import { api } from "../../shared/api/client.ts";
import type { ApiKey } from "../../shared/api/types.ts";
import { useFormat } from "../../shared/i18n/use-format.ts";
import { TimeAgo } from "../../shared/ui/TimeAgo.tsx";

/** The text names at most this many applications. */
const MAX_NAMED = 5;

interface Props {
  apiKey: ApiKey;
  environment: string;
}

/** Warns which applications may lose access when the API key is revoked. */
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
 * Loads the SDK instances that may use the API key, newest first. The service does not record which
 * key an instance uses, so these are all instances of the key's environment.
 */
const instancesQuery = ({ projectId: id, environmentId }: ApiKey) =>
  queryOptions({
    queryKey: ["instances", "newest", id, environmentId],
    queryFn: ({ signal }) => {
      const params = { path: { id }, query: { environmentId, size: 20 } };
      return dataOf(api.GET("/api/v1/projects/{id}/client-instances", { params, signal }));
    },
  });
