import { Group, Stack, Text, Title } from "@mantine/core";
import { IconChevronLeft, IconChevronRight } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { ChangeRequest } from "../../shared/api/types.ts";
import { Trans } from "../../shared/i18n/Trans.tsx";
import { useFormat } from "../../shared/i18n/use-format.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { PlannedTime } from "../../shared/schedule/PlannedTime.tsx";
import { PageHeader } from "../../shared/ui/PageHeader.tsx";
import { Loading, QueryView } from "../../shared/ui/QueryView.tsx";
import { TimeAgo } from "../../shared/ui/TimeAgo.tsx";
import { BackLink, LinkAnchor, LinkButton } from "../../shared/ui/links.tsx";
import classes from "./ChangeRequestPage.module.css";
import { Conversation } from "./Conversation.tsx";
import { changeRequestQuery, changeRequestsQuery } from "../../shared/change-requests/queries.ts";
import { RequestActions } from "./RequestActions.tsx";
import { RequestOperations, useContainedNames } from "./RequestOperations.tsx";
import { StatusBadge } from "./StatusBadge.tsx";

const route = getRouteApi("/projects/$projectId/change-requests/$requestId");

export function ChangeRequestPage() {
  const { t } = useTranslation();
  const { projectId, requestId } = route.useParams();
  const request = useQuery(changeRequestQuery(requestId));
  const toReview = useQuery(changeRequestsQuery(projectId, "review"));
  const names = useContainedNames(request.data ?? { projectId, operations: [] });
  // The page waits for the names and the neighbours. Otherwise its parts would move when these load.
  const isReady = !toReview.isPending && !names.isLoading;
  const data = isReady ? request.data : undefined;
  return (
    <>
      <BackLink to="/projects/$projectId/change-requests" params={{ projectId }}>
        {t("changeRequests.back")}
      </BackLink>
      <PageHeader
        title={data?.title ?? t("changeRequests.one")}
        description={
          data && (
            <Trans
              i18nKey="changeRequests.by"
              values={{ author: data.author.name }}
              components={{ time: <TimeAgo at={data.createdAt} /> }}
            />
          )
        }
        actions={data && <Neighbours requests={toReview.data?.items ?? []} of={data} />}
      />
      <QueryView query={request}>
        {(known) =>
          !isReady ? (
            <Loading />
          ) : (
            // A page of another request must not have the typed comment of this one.
            <div key={known.id} className={classes.page}>
              <Status request={known} />
              {known.description !== null && known.description !== "" && (
                <Text size="sm" className={classes.description}>
                  {known.description}
                </Text>
              )}
              <section>
                <Title order={2} size="h4" mb="sm">
                  {t("changeRequests.changes")}
                </Title>
                <RequestOperations request={known} />
              </section>
              <section>
                <Title order={2} size="h4" mb="sm">
                  {t("changeRequests.conversation")}
                </Title>
                <Conversation request={known} />
              </section>
              <RequestActions request={known} />
            </div>
          )
        }
      </QueryView>
    </>
  );
}

/** What the request waits for, in words. */
function Status({ request }: { request: ChangeRequest }) {
  const { t } = useTranslation();
  const { list } = useFormat();
  const { state, status, approval, reviews, closedAt, closedBy } = request;
  const { projectId, applyAt, dependsOn, blockedBy } = request;
  const given = reviews.filter(({ counts, verdict }) => counts && verdict === "approve").length;
  const environments = list(approval.environments.map(({ name }) => name));
  return (
    <Stack gap={4}>
      <Group gap="sm">
        <StatusBadge request={request} />
        {state === "open" && approval.required > 0 && (
          <Text size="sm" fw={500}>
            {t("changeRequests.approvals", { given, count: approval.required })}
          </Text>
        )}
      </Group>
      {status !== null && (
        <Text size="sm" c="dimmed">
          {approval.required === 0
            ? t("changeRequests.noneNeeded")
            : t("changeRequests.needed", { environments })}{" "}
          {t(`changeRequests.meaning.${status}`)}
        </Text>
      )}
      {state === "open" && applyAt !== null && (
        <Text size="sm">
          <Trans i18nKey="schedule.planned" components={{ time: <PlannedTime at={applyAt} /> }} />
        </Text>
      )}
      {state === "open" && dependsOn !== null && (
        <LinkAnchor
          size="sm"
          to="/projects/$projectId/change-requests/$requestId"
          params={{ projectId, requestId: dependsOn }}
        >
          {t("schedule.dependsOn", { id: dependsOn })}
        </LinkAnchor>
      )}
      {blockedBy !== null && (
        <Text size="sm" c="red">
          {t("schedule.blocked", { reason: blockedBy })}
        </Text>
      )}
      {closedBy !== null && (
        <Text size="sm" c="dimmed">
          <Trans
            i18nKey="changeRequests.closedBy"
            values={{ state: t(`changeRequests.states.${state}`), name: closedBy }}
            components={{ time: <TimeAgo at={closedAt} /> }}
          />
        </Text>
      )}
    </Stack>
  );
}

interface NeighboursProps {
  /** The requests that the user has to review, the newest first. */
  requests: readonly Pick<ChangeRequest, "id">[];
  of: ChangeRequest;
}

/** The links to the requests before and after this one that the user has to review. */
function Neighbours({ requests, of: { id, projectId } }: NeighboursProps) {
  const { t } = useTranslation();
  const ids = requests.map((request) => request.id);
  const links = [
    { key: "k", name: "previous", Icon: IconChevronLeft, to: ids.findLast((one) => one > id) },
    { key: "j", name: "next", Icon: IconChevronRight, to: ids.find((one) => one < id) },
  ] as const;
  return links.map(
    ({ key, name, Icon, to }) =>
      to !== undefined && (
        <LinkButton
          key={key}
          variant="default"
          px="xs"
          to="/projects/$projectId/change-requests/$requestId"
          params={{ projectId, requestId: to }}
          aria-label={t(`changeRequests.${name}`)}
          aria-keyshortcuts={key}
          title={`${t(`changeRequests.${name}`)} (${key.toUpperCase()})`}
        >
          <Icon size={16} stroke={1.75} aria-hidden />
        </LinkButton>
      ),
  );
}
