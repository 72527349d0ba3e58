import { Group, Table, Text } from "@mantine/core";
import { IconCheck, IconClock, IconDevices } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { Schemas } from "../../shared/api/types.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { ListPagination } from "../../shared/list/ListPagination.tsx";
import { EmptyState } from "../../shared/ui/EmptyState.tsx";
import { QueryView } from "../../shared/ui/QueryView.tsx";
import { TimeAgo } from "../../shared/ui/TimeAgo.tsx";
import { Column, DataTable } from "../../shared/ui/DataTable.tsx";
import type { Scope } from "./Section.tsx";
import classes from "./Insights.module.css";
import { instancesQuery, livePropagationQuery } from "./queries.ts";

const route = getRouteApi("/projects/$projectId/insights");

type Instance = Schemas["ClientInstance"];

/** The SDK instances of the last 7 days, and whether each has the newest rules. */
export function SdkInstances({ projectId, environment }: Scope) {
  const { t } = useTranslation();
  const { page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const instances = useQuery(instancesQuery(projectId, environment.id, page));
  const { data: propagation } = useQuery(livePropagationQuery(environment.id));
  return (
    <QueryView query={instances}>
      {({ items, pages }) =>
        pages === 0 ? (
          <EmptyState
            Icon={IconDevices}
            docs="/docs/openfeature.md"
            title={t("insights.instancesEmpty", { environment: environment.name })}
          >
            {t("insights.instancesEmptyText")}
          </EmptyState>
        ) : (
          <>
            <InstanceTable items={items} newest={propagation} />
            <Text size="sm" c="dimmed" mt="xs">
              {t("insights.instancesText")}
            </Text>
            <ListPagination
              page={page}
              pages={pages}
              isEmpty={items.length === 0}
              onPage={(next, { replace }) =>
                void navigate({
                  search: (before) => ({ ...before, page: next }),
                  replace,
                  resetScroll: false,
                })
              }
            />
          </>
        )
      }
    </QueryView>
  );
}

interface TableProps {
  items: readonly Instance[];
  newest: Schemas["Propagation"] | undefined;
}

function InstanceTable({ items, newest }: TableProps) {
  const { t } = useTranslation();
  return (
    <DataTable
      label={t("insights.instancesTable")}
      verticalSpacing={8}
      miw="34rem"
      head={
        <>
          <Column>{t("insights.application")}</Column>
          <Column>{t("insights.instance")}</Column>
          <Column>{t("insights.sdk")}</Column>
          <Column>{t("insights.lastSeen")}</Column>
          <Column>{t("insights.holds")}</Column>
        </>
      }
    >
      {items.map((instance) => (
        <Table.Tr key={`${instance.appName} ${instance.instanceId}`}>
          <Table.Td>{instance.appName ?? t("insights.noName")}</Table.Td>
          <Table.Th scope="row" fw={400} className={classes.id}>
            {instance.instanceId}
          </Table.Th>
          <Table.Td>{instance.sdkVersion ?? t("insights.unknownRevision")}</Table.Td>
          <Table.Td>
            <TimeAgo at={instance.lastSeenAt} />
            {newest && isQuiet(instance, newest) && ` (${t("insights.quiet")})`}
          </Table.Td>
          <Table.Td className={classes.line}>
            <Rules instance={instance} newest={newest?.revision} />
          </Table.Td>
        </Table.Tr>
      ))}
    </DataTable>
  );
}

/**
 * Marks an instance that was not seen for a while: it has stopped, or polls less often than SDKs do
 * by default.
 */
const isQuiet = ({ lastSeenAt }: Instance, newest: Schemas["Propagation"]): boolean =>
  Date.now() - Date.parse(lastSeenAt) > newest.seenWithinSeconds * 1000;

function Rules({ instance, newest }: { instance: Instance; newest: number | undefined }) {
  const { t } = useTranslation();
  const { revision, upToDate } = instance;
  const text = () => {
    if (upToDate) return t("insights.upToDate");
    if (revision === null) return t("insights.unknownRevision");
    return t("insights.behind", { revision, newest: newest ?? "?" });
  };
  return (
    <Group gap={6} wrap="nowrap">
      {upToDate ? (
        <IconCheck size={16} stroke={2.5} color="var(--mantine-color-green-7)" aria-hidden />
      ) : (
        <IconClock size={16} stroke={1.75} aria-hidden />
      )}
      {text()}
    </Group>
  );
}
