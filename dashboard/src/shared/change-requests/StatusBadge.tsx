import { Badge } from "@mantine/core";
import type { ChangeRequest } from "../api/types.ts";
import { useTranslation } from "../i18n/use-translation.ts";

const STATE_COLOURS = { open: "blue", applied: "green", closed: "gray" } as const;

const STATUS_COLOURS = {
  "needs-approval": "blue",
  scheduled: "teal",
  approved: "green",
  rejected: "red",
  outdated: "yellow",
  blocked: "red",
} as const;

/** Whether a change request is open, applied or closed. */
function StateBadge({ state }: Pick<ChangeRequest, "state">) {
  const { t } = useTranslation();
  return (
    <Badge variant="dot" color={STATE_COLOURS[state]}>
      {t(`changeRequests.states.${state}`)}
    </Badge>
  );
}

interface Props {
  request: Pick<ChangeRequest, "state" | "status">;
}

/** What an open change request waits for; the state of any other one. */
export function StatusBadge({ request: { state, status } }: Props) {
  const { t } = useTranslation();
  if (status === null) return <StateBadge state={state} />;
  return (
    <Badge variant="dot" color={STATUS_COLOURS[status]}>
      {t(`changeRequests.statuses.${status}`)}
    </Badge>
  );
}
