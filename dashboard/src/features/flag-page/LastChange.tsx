import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Flag } from "../../shared/api/types.ts";
import { auditQuery } from "../../shared/history/audit-query.ts";
import { actorText } from "../../shared/history/use-record-text.ts";
import { Trans } from "../../shared/i18n/Trans.tsx";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { TimeAgo } from "../../shared/ui/TimeAgo.tsx";

/** Who changed the flag or one of its strategies last, and when. */
export function LastChange({ flag: { id, projectId } }: { flag: Flag }) {
  const { t } = useTranslation();
  const { data } = useQuery(
    auditQuery(["flag", id, "last"], () => ({
      projectId,
      entityType: "flag",
      entityId: id,
      size: 1,
    })),
  );
  const last = data?.items[0];
  if (!last) return null;
  return (
    <Text size="xs" c="dimmed">
      <Trans
        i18nKey="flagPage.lastChanged"
        values={{ who: actorText(t, last) }}
        components={{ time: <TimeAgo at={last.at} /> }}
      />
    </Text>
  );
}
