import { KEY_TYPES } from "@feature-flags/permissions/permissions";
import { useDisclosure } from "@mantine/hooks";
import { IconKey } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { ApiKey, Environment } from "../../shared/api/types.ts";
import { apiKeysQuery } from "../../shared/data/project-lists.ts";
import { environmentsQuery } from "../../shared/data/environments.ts";
import { selectOptionsOf } from "../../shared/data/select-options.ts";
import { useProjectId } from "../../shared/data/use-project-id.ts";
import { NoEnvironments } from "../../shared/environments/NoEnvironments.tsx";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { CreateButton } from "../../shared/list/CreateButton.tsx";
import { FilterBar } from "../../shared/list/FilterBar.tsx";
import { FilterControls } from "../../shared/list/FilterControls.tsx";
import { useCan } from "../../shared/session/current-session.tsx";
import { EmptyState } from "../../shared/ui/EmptyState.tsx";
import { PageHeader } from "../../shared/ui/PageHeader.tsx";
import { QueryView } from "../../shared/ui/QueryView.tsx";
import { ApiKeyTable } from "./ApiKeyTable.tsx";
import { CreateApiKey } from "./CreateApiKey.tsx";
import type { ApiKeysSearch } from "./search-params.ts";

const route = getRouteApi("/projects/$projectId/api-keys");

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
  const { search: words = "", type } = route.useSearch();
  const navigate = route.useNavigate();
  const change = (changed: ApiKeysSearch) =>
    void navigate({
      search: (before) => ({ ...before, ...changed }),
      replace: true,
      resetScroll: false,
    });
  const shown = keys.filter(
    ({ environmentId, keyType, name }) =>
      (selectedId === undefined || environmentId === selectedId) &&
      (type === undefined || keyType === type) &&
      name.toLowerCase().includes(words.toLowerCase()),
  );
  return (
    <>
      <FilterBar
        label={t("filters.bar")}
        search={{
          label: t("apiKeys.search"),
          value: words,
          onSearch: (typed) => change({ search: typed || undefined }),
        }}
      >
        <FilterControls
          filters={[
            {
              label: t("apiKeys.environment"),
              options: selectOptionsOf(environments),
              value: selectedId === undefined ? undefined : String(selectedId),
              onChange: (id) => change({ environment: id === undefined ? undefined : Number(id) }),
            },
            {
              label: t("apiKeys.type"),
              options: KEY_TYPES.map((value) => ({ value, label: t(`apiKeys.types.${value}`) })),
              value: type,
              onChange: (value) => change({ type: KEY_TYPES.find((known) => known === value) }),
            },
          ]}
          onClear={
            selectedId === undefined && type === undefined
              ? undefined
              : () => change({ search: undefined, environment: undefined, type: undefined })
          }
        />
      </FilterBar>
      {shown.length > 0 ? (
        <ApiKeyTable keys={shown} environments={environments} />
      ) : (
        <EmptyState Icon={IconKey} title={t("apiKeys.noneHere")} />
      )}
    </>
  );
}
