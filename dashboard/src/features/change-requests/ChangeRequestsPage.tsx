import { Badge, Table, Tabs, Text } from "@mantine/core";
import { IconGitPullRequest } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { Schemas } from "../../shared/api/types.ts";
import { Trans } from "../../shared/i18n/Trans.tsx";
import { useFormat } from "../../shared/i18n/use-format.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { ListPagination } from "../../shared/list/ListPagination.tsx";
import { Column, DataTable } from "../../shared/ui/DataTable.tsx";
import { EmptyState } from "../../shared/ui/EmptyState.tsx";
import { PageHeader } from "../../shared/ui/PageHeader.tsx";
import { QueryView } from "../../shared/ui/QueryView.tsx";
import { TimeAgo } from "../../shared/ui/TimeAgo.tsx";
import { RowLink } from "../../shared/ui/links.tsx";
import { useCurrentSession } from "../../shared/session/current-session.tsx";
import narrow from "../../shared/ui/narrow.module.css";
import { changeRequestsQuery, reviewCountQuery } from "../../shared/change-requests/queries.ts";
import { type Tab, TABS, validateChangeRequestsSearch } from "./search-params.ts";
import { authorName } from "../../shared/change-requests/author-name.ts";
import { PersonName } from "../../shared/ui/PersonName.tsx";
import { StatusBadge } from "../../shared/change-requests/StatusBadge.tsx";

const route = getRouteApi("/projects/$projectId/change-requests");

export function ChangeRequestsPage() {
  const { t } = useTranslation();
  const { number } = useFormat();
  const { projectId } = route.useParams();
  const { tab = "review" } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: count = 0 } = useQuery(reviewCountQuery(projectId));
  return (
    <>
      <PageHeader title={t("shell.changeRequests")} description={t("changeRequests.about")} />
      <Tabs
        value={tab}
        onChange={(chosen) =>
          void navigate({ search: validateChangeRequestsSearch({ tab: chosen }) })
        }
        keepMounted={false}
      >
        <Tabs.List mb="md" aria-label={t("changeRequests.list")}>
          {TABS.map((name) => (
            <Tabs.Tab
              key={name}
              value={name}
              // The height with the badge. Otherwise the list moves when the number has loaded.
              mih={40}
              rightSection={
                name === "review" &&
                count > 0 && (
                  <Badge size="sm" variant="filled">
                    {number(count)}
                  </Badge>
                )
              }
            >
              {t(`changeRequests.tabs.${name}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {TABS.map((name) => (
          <Tabs.Panel key={name} value={name}>
            <RequestList tab={name} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </>
  );
}

function RequestList({ tab }: { tab: Tab }) {
  const { t } = useTranslation();
  const { projectId } = route.useParams();
  const { page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const requests = useQuery(changeRequestsQuery(projectId, tab, page));
  return (
    <QueryView query={requests}>
      {({ items, totalItems, totalPages }) => (
        <>
          {totalItems === 0 ? (
            <EmptyState
              Icon={IconGitPullRequest}
              title={t(`changeRequests.none.${tab}`)}
              docs="/docs/safe-production.md"
            >
              {t(`changeRequests.noneText.${tab}`)}
            </EmptyState>
          ) : (
            <RequestTable requests={items} isToReview={tab === "review"} />
          )}
          <ListPagination
            page={page}
            pages={totalPages}
            isEmpty={items.length === 0}
            onPage={(chosen, { replace }) =>
              void navigate({
                search: (previous) => validateChangeRequestsSearch({ ...previous, page: chosen }),
                replace,
              })
            }
          />
        </>
      )}
    </QueryView>
  );
}

interface TableProps {
  requests: readonly Schemas["ChangeRequestSummary"][];
  /** Whether the user has still to review all of them. Only these say that the user was asked. */
  isToReview: boolean;
}

function RequestTable({ requests, isToReview }: TableProps) {
  const { t } = useTranslation();
  const own = useCurrentSession().user.id;
  return (
    <DataTable
      label={t("shell.changeRequests")}
      head={
        <>
          <Column>{t("changeRequests.title")}</Column>
          <Column className={narrow.hidden}>{t("changeRequests.author")}</Column>
          <Column className={narrow.hidden}>{t("changeRequests.state")}</Column>
          <Column className={narrow.hidden}>{t("changeRequests.age")}</Column>
        </>
      }
    >
      {requests.map(
        ({ id, projectId, title, author, state, status = null, reviewers, createdAt }) => (
          <Table.Tr key={id}>
            <Table.Th scope="row" fw={400}>
              <RowLink
                to="/projects/$projectId/change-requests/$requestId"
                params={{ projectId, requestId: id }}
              >
                {title}
              </RowLink>
              {isToReview && reviewers.some(({ userId }) => userId === own) && (
                <Badge variant="light" size="sm" ml="xs">
                  {t("changeRequests.reviewers.you")}
                </Badge>
              )}
              <Text size="xs" c="dimmed" my={4} className={narrow.only}>
                <Trans
                  i18nKey="changeRequests.by"
                  values={{ author: authorName({ author }) }}
                  components={{ time: <TimeAgo at={createdAt} /> }}
                />
              </Text>
              <div className={narrow.only}>
                <StatusBadge request={{ state, status }} />
              </div>
            </Table.Th>
            <Table.Td className={narrow.hidden}>
              <PersonName name={authorName({ author })} />
            </Table.Td>
            <Table.Td className={narrow.hidden}>
              <StatusBadge request={{ state, status }} />
            </Table.Td>
            <Table.Td className={narrow.hidden}>
              <TimeAgo at={createdAt} />
            </Table.Td>
          </Table.Tr>
        ),
      )}
    </DataTable>
  );
}
