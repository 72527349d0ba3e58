import { Group, Stack, Text, Title } from "@mantine/core";
import { IconChevronLeft, IconChevronRight } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { ChangeRequest } from "../../shared/api/types.ts";
import { Trans } from "../../shared/i18n/Trans.tsx";
import { useFormat } from "../../shared/i18n/use-format.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { PageHeader } from "../../shared/ui/PageHeader.tsx";
import { QueryView } from "../../shared/ui/QueryView.tsx";
import { TimeAgo } from "../../shared/ui/TimeAgo.tsx";
import { BackLink, LinkButton } from "../../shared/ui/links.tsx";
import classes from "./ChangeRequestPage.module.css";
import { Conversation } from "./Conversation.tsx";
import { changeRequestQuery, changeRequestsQuery } from "./queries.ts";
import { RequestActions } from "./RequestActions.tsx";
import { RequestOperations } from "./RequestOperations.tsx";
import { StatusBadge } from "./StatusBadge.tsx";

const route = getRouteApi("/projects/$projectId/change-requests/$requestId");

export function ChangeRequestPage() {
  const { t } = useTranslation();
  const { projectId, requestId } = route.useParams();
  const request = useQuery(changeRequestQuery(requestId));
  const { data } = request;
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
        actions={<Neighbours projectId={projectId} id={requestId} />}
      />
      <QueryView query={request}>
        {(known) => (
          // A page of another request must not have the typed comment of this one.
          <div key={known.id} className={classes.page}>
            <Status request={known} />
            {known.description !== null && known.description !== "" && (
              <Text className={classes.description}>{known.description}</Text>
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
        )}
      </QueryView>
    </>
  );
}

/** What the request waits for, in words. */
function Status({ request }: { request: ChangeRequest }) {
  const { t } = useTranslation();
  const { list } = useFormat();
  const { state, status, approval, reviews, closedAt, closedBy } = request;
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

/** The links to the requests before and after this one that the user has to review. */
function Neighbours({ projectId, id }: { projectId: number; id: number }) {
  const { t } = useTranslation();
  const { data } = useQuery(changeRequestsQuery(projectId, "review"));
  const ids = data?.items.map((item) => item.id) ?? [];
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
