import { Select } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconKey } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { ApiKey, Environment } from "../../shared/api/types.ts";
import { apiKeysQuery } from "../../shared/data/project-lists.ts";
import { environmentsQuery } from "../../shared/data/environments.ts";
import { selectOptionsOf } from "../../shared/data/select-options.ts";
import { useProjectId } from "../../shared/data/use-project-id.ts";
import { environmentColours } from "../../shared/environments/EnvironmentSelect.tsx";
import { NoEnvironments } from "../../shared/environments/NoEnvironments.tsx";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { CreateButton } from "../../shared/list/CreateButton.tsx";
import { useCan } from "../../shared/session/current-session.tsx";
import { EmptyState } from "../../shared/ui/EmptyState.tsx";
import { PageHeader } from "../../shared/ui/PageHeader.tsx";
import { QueryView } from "../../shared/ui/QueryView.tsx";
import { ApiKeyTable } from "./ApiKeyTable.tsx";
import { CreateApiKey } from "./CreateApiKey.tsx";

const route = getRouteApi("/projects/$projectId/api-keys");

/** Every other option of the select has the id of an environment as value. */
const ALL = "all";

export function ApiKeysPage() {
  const { t } = useTranslation();
  const projectId = useProjectId();
  const keys = useQuery(apiKeysQuery(projectId));
  const environments = useQuery(environmentsQuery(projectId));
  const search = route.useSearch();
  const selectedId = environments.data?.find(({ id }) => id === search.environment)?.id;
  const mayWrite = useCan("api-key:write");
  const [isCreating, { open, close }] = useDisclosure(false);
  const canCreate = mayWrite && environments.data !== undefined && environments.data.length > 0;
  const create = canCreate && <CreateButton onClick={open}>{t("apiKeys.new")}</CreateButton>;
  return (
    <>
      <PageHeader
        title={t("shell.apiKeys")}
        description={t("apiKeys.about")}
        actions={keys.data?.length !== 0 && create}
      />
      <QueryView query={environments}>
        {(known) =>
          known.length === 0 ? (
            <NoEnvironments title={t("apiKeys.noEnvironment")}>
              {t("apiKeys.noEnvironmentText")}
            </NoEnvironments>
          ) : (
            <QueryView query={keys}>
              {(all) =>
                all.length === 0 ? (
                  <EmptyState
                    Icon={IconKey}
                    docs="/docs/openfeature.md"
                    title={t("apiKeys.none")}
                    action={create}
                  >
                    {t("apiKeys.noneText")}
                  </EmptyState>
                ) : (
                  <FilteredKeys keys={all} environments={known} selectedId={selectedId} />
                )
              }
            </QueryView>
          )
        }
      </QueryView>
      {environments.data && (
        <CreateApiKey
          opened={isCreating}
          onClose={close}
          environments={environments.data}
          preset={selectedId}
        />
      )}
    </>
  );
}

interface FilteredProps {
  keys: readonly ApiKey[];
  environments: readonly Environment[];
  selectedId: number | undefined;
}

function FilteredKeys({ keys, environments, selectedId }: FilteredProps) {
  const { t } = useTranslation();
  const navigate = route.useNavigate();
  const shown = keys.filter(
    ({ environmentId }) => selectedId === undefined || environmentId === selectedId,
  );
  return (
    <>
      <Select
        label={t("apiKeys.environment")}
        data={[
          { value: ALL, label: t("apiKeys.allEnvironments") },
          ...selectOptionsOf(environments),
        ]}
        value={selectedId === undefined ? ALL : String(selectedId)}
        onChange={(chosen) =>
          void navigate({
            search: chosen === ALL ? {} : { environment: Number(chosen) },
            replace: true,
          })
        }
        allowDeselect={false}
        {...environmentColours(selectedId)}
        maw="18rem"
        mb="md"
      />
      {shown.length > 0 ? (
        <ApiKeyTable keys={shown} environments={environments} />
      ) : (
        <EmptyState Icon={IconKey} title={t("apiKeys.noneHere")} />
      )}
    </>
  );
}
