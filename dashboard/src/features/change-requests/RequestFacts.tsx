import { Group, Paper, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { ChangeRequest } from "../../shared/api/types.ts";
import { StatusBadge } from "../../shared/change-requests/StatusBadge.tsx";
import { environmentsQuery } from "../../shared/data/environments.ts";
import { EnvironmentChip } from "../../shared/environments/EnvironmentChip.tsx";
import { ProtectionMark } from "../../shared/environments/ProtectionMark.tsx";
import { Trans } from "../../shared/i18n/Trans.tsx";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { PlannedTime } from "../../shared/schedule/PlannedTime.tsx";
import { LinkAnchor } from "../../shared/ui/links.tsx";
import { TimeAgo } from "../../shared/ui/TimeAgo.tsx";
import classes from "./ChangeRequestPage.module.css";
import { Reviewers } from "./Reviewers.tsx";
import { useAllowed } from "./use-allowed.ts";
import type { RequestAction } from "./use-request-action.ts";

interface Props {
  request: ChangeRequest;
  action: RequestAction;
}

/** What the request waits for, the environments that it changes, and who has reviewed it. */
export function RequestFacts({ request, action }: Props) {
  const { t } = useTranslation();
  const { data: environments = [] } = useQuery(environmentsQuery(request.projectId));
  const { approval, operations, reviews } = request;
  const changed = environments.filter(({ id }) =>
    [
      ...operations.map(({ environmentId }) => environmentId),
      ...approval.environments.map((one) => one.id),
    ].includes(id),
  );
  const may = useAllowed(request);
  const said = [...request.reviewers, ...reviews.filter(({ counts }) => counts)];
  const given = reviews.filter(({ counts, verdict }) => counts && verdict === "approve").length;
  return (
    <Paper
      withBorder
      radius="md"
      p="md"
      component="aside"
      aria-label={t("changeRequests.facts")}
      className={classes.facts}
    >
      <Fact name={t("changeRequests.state")}>
        <Status request={request} />
      </Fact>
      {changed.length > 0 && (
        <Fact name={t("shell.environments")}>
          {changed.map((environment) => (
            <Group key={environment.id} gap="xs">
              <EnvironmentChip {...environment} />
              <ProtectionMark environment={environment} />
            </Group>
          ))}
        </Fact>
      )}
      {(may.ask || approval.required > 0 || said.length > 0) && (
        <Fact name={t("changeRequests.reviews")}>
          {request.state === "open" && approval.required > 0 && (
            <Text size="sm">
              {t("changeRequests.approvals", { given, count: approval.required })}
            </Text>
          )}
          <Reviewers request={request} action={action} />
        </Fact>
      )}
    </Paper>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Stack gap={6}>
      <Text size="xs" c="dimmed" fw={600}>
        {name}
      </Text>
      {children}
    </Stack>
  );
}

/** What the request waits for, in words. */
function Status({ request }: { request: ChangeRequest }) {
  const { t } = useTranslation();
  const { projectId, state, status, approval, applyAt, dependsOn, blockedBy } = request;
  const { closedAt, closedBy, closedByDisplayName } = request;
  return (
    <>
      <div>
        <StatusBadge request={request} />
      </div>
      {status !== null && (
        <Text size="sm" c="dimmed">
          {approval.required === 0 && t("changeRequests.noneNeeded")}{" "}
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
            values={{
              state: t(`changeRequests.states.${state}`),
              name: closedByDisplayName ?? closedBy,
            }}
            components={{ time: <TimeAgo at={closedAt} /> }}
          />
        </Text>
      )}
    </>
  );
}
