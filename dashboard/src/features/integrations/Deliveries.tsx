import { Group, Text } from "@mantine/core";
import { IconSend } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { Integration, Schemas } from "../../shared/api/types.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { FilterControls } from "../../shared/list/FilterControls.tsx";
import { ListPagination } from "../../shared/list/ListPagination.tsx";
import { EmptyState } from "../../shared/ui/EmptyState.tsx";
import { QueryView } from "../../shared/ui/QueryView.tsx";
import { DeliveryTable } from "./DeliveryTable.tsx";
import { deliveriesQuery } from "./queries.ts";
import { QuotaMeter } from "./QuotaMeter.tsx";
import { type IntegrationSearch, STATUSES } from "./search-params.ts";

const route = getRouteApi("/projects/$projectId/integrations/$integrationId");

interface Props {
  integration: Integration;
  mayWrite: boolean;
}

export function Deliveries({ integration, mayWrite }: Props) {
  const { t } = useTranslation();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const deliveries = useQuery(deliveriesQuery(integration.id, search));
  const isEmpty = search.status === undefined && deliveries.data?.totalItems === 0;
  const show = (next: IntegrationSearch) =>
    void navigate({ search: next, replace: true, resetScroll: false });
  return (
    <>
      {!isEmpty && (
        <Group gap="xs" mb="sm">
          <FilterControls
            filters={[
              {
                label: t("integrations.status"),
                options: STATUSES.map((value) => ({
                  value,
                  label: t(`integrations.statuses.${value}`),
                })),
                value: search.status,
                onChange: (chosen) =>
                  show({ status: STATUSES.find((status) => status === chosen) }),
              },
            ]}
            onClear={undefined}
          />
        </Group>
      )}
      {search.status === "held" && (
        <Text size="sm" c="dimmed" mb="sm">
          {t(`integrations.heldHint.${integration.enabled ? "quota" : "disabled"}`)}
        </Text>
      )}
      <QueryView query={deliveries}>
        {(page) => (
          <DeliveryPage
            page={page}
            integration={integration}
            mayWrite={mayWrite}
            isFiltered={search.status !== undefined}
            onPage={(number) => show({ ...search, page: number })}
          />
        )}
      </QueryView>
      <QuotaMeter isListLoaded={!deliveries.isLoading} />
    </>
  );
}

interface PageProps extends Props {
  page: Schemas["DeliveryPage"];
  isFiltered: boolean;
  onPage: (number: number) => void;
}

function DeliveryPage({ page, integration, mayWrite, isFiltered, onPage }: PageProps) {
  const { t } = useTranslation();
  const { items, totalItems, totalPages } = page;
  if (totalItems === 0)
    return (
      <EmptyState
        Icon={IconSend}
        title={t(isFiltered ? "integrations.noMatch" : "integrations.noDelivery")}
      >
        {isFiltered ? undefined : t("integrations.noDeliveryText")}
      </EmptyState>
    );
  return (
    <>
      <DeliveryTable deliveries={items} integration={integration} mayWrite={mayWrite} />
      <ListPagination
        page={page.page + 1}
        pages={totalPages}
        isEmpty={items.length === 0}
        onPage={onPage}
      />
    </>
  );
}
