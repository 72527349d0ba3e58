import { Group, Text, Title } from "@mantine/core";
import { IconChevronLeft, IconChevronRight } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { ChangeRequest } from "../../shared/api/types.ts";
import { Trans } from "../../shared/i18n/Trans.tsx";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { PageHeader } from "../../shared/ui/PageHeader.tsx";
import { Loading, QueryView } from "../../shared/ui/QueryView.tsx";
import { TimeAgo } from "../../shared/ui/TimeAgo.tsx";
import { BackLink, LinkButton } from "../../shared/ui/links.tsx";
import { useIsNarrow } from "../../shared/ui/use-is-narrow.ts";
import { UserAvatar } from "../../shared/ui/UserAvatar.tsx";
import classes from "./ChangeRequestPage.module.css";
import { Conversation } from "./Conversation.tsx";
import { authorName } from "../../shared/change-requests/author-name.ts";
import { useRequestAction } from "./use-request-action.ts";
import { changeRequestQuery, changeRequestsQuery } from "../../shared/change-requests/queries.ts";
import { ActionError, RequestActions } from "./RequestActions.tsx";
import { RequestFacts } from "./RequestFacts.tsx";
import { RequestOperations, useContainedNames } from "./RequestOperations.tsx";

const route = getRouteApi("/projects/$projectId/change-requests/$requestId");

export function ChangeRequestPage() {
  const { requestId } = route.useParams();
  // A page of another request must not have the typed comment and the error of this one.
  return <RequestPage key={requestId} />;
}

function RequestPage() {
  const { t } = useTranslation();
  const { projectId, requestId } = route.useParams();
  const request = useQuery(changeRequestQuery(requestId));
  const toReview = useQuery(changeRequestsQuery(projectId, "review"));
  const names = useContainedNames(request.data ?? { projectId, operations: [] });
  const action = useRequestAction(requestId);
  const isNarrow = useIsNarrow();
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
            <Group gap="xs">
              <UserAvatar name={authorName(data)} />
              <span>
                <Trans
                  i18nKey="changeRequests.by"
                  values={{ author: authorName(data) }}
                  components={{ time: <TimeAgo at={data.createdAt} /> }}
                />
              </span>
            </Group>
          )
        }
        actions={
          data && (
            <>
              {!isNarrow && <RequestActions request={data} action={action} />}
              <Neighbours requests={toReview.data?.items ?? []} of={data} />
            </>
          )
        }
      />
      <ActionError action={action} />
      <QueryView query={request}>
        {(known) =>
          !isReady ? (
            <Loading />
          ) : (
            <div className={classes.page}>
              <RequestFacts request={known} action={action} />
              <div className={classes.main}>
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
              </div>
              {isNarrow && (
                <div className={classes.bar}>
                  <RequestActions request={known} action={action} />
                </div>
              )}
            </div>
          )
        }
      </QueryView>
    </>
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
