import { Group, Text } from "@mantine/core";
import { IconCalendarClock, IconGitPullRequest } from "@tabler/icons-react";
import type { Schemas } from "../../../shared/api/types.ts";
import { authorName } from "../../../shared/change-requests/author-name.ts";
import { StatusBadge } from "../../../shared/change-requests/StatusBadge.tsx";
import { useProposedChange } from "../../../shared/change-requests/use-proposed-change.ts";
import { useFormat } from "../../../shared/i18n/use-format.ts";
import { useTranslation } from "../../../shared/i18n/use-translation.ts";
import { PlannedTime } from "../../../shared/schedule/PlannedTime.tsx";
import type { SegmentsById } from "../../../shared/strategy/segments-by-id.ts";
import { LinkButton } from "../../../shared/ui/links.tsx";
import { Plan } from "./Plan.tsx";
import classes from "./Plans.module.css";

interface Props {
  /** A request with its operations on the flag. */
  request: Schemas["ChangeRequestSummary"];
  segments: SegmentsById;
}

/** An open change request: who proposes what, when the service applies it, and which approvals it has. */
export function OpenRequest({ request, segments }: Props) {
  const { t } = useTranslation();
  const { list } = useFormat();
  const describe = useProposedChange(segments);
  const { id, projectId, title, state, status = null, approval, applyAt } = request;
  const Icon = applyAt === null ? IconGitPullRequest : IconCalendarClock;
  return (
    <Plan
      icon={<Icon size={18} stroke={1.75} aria-hidden />}
      action={
        <LinkButton
          to="/projects/$projectId/change-requests/$requestId"
          params={{ projectId, requestId: id }}
          variant="default"
          size="compact-sm"
          aria-label={t("changeRequests.waiting.reviewOne", { title })}
        >
          {t("changeRequests.waiting.review")}
        </LinkButton>
      }
    >
      <Group gap="xs">
        <Text size="sm" fw={600}>
          {title}
        </Text>
        <StatusBadge request={{ state, status }} />
      </Group>
      <Text size="sm" className={classes.change}>
        {list((request.operations ?? []).map(describe))}
        {applyAt !== null && (
          <>
            {", "}
            <PlannedTime at={applyAt} />
          </>
        )}
      </Text>
      <Text size="xs" c="dimmed">
        {t("changeRequests.waiting.by", { author: authorName(request) })}
        {approval && approval.required > 0 && (
          <>
            {" · "}
            {t("changeRequests.approvals", { given: approval.given, count: approval.required })}
          </>
        )}
      </Text>
    </Plan>
  );
}
