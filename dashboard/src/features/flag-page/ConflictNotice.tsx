import { Alert, Button, Group, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { Strategy } from "../../shared/api/types.ts";
import { useProjectId } from "../../shared/data/use-project-id.ts";
import { auditQuery } from "../../shared/history/audit-query.ts";
import { actorText } from "../../shared/history/use-record-text.ts";
import { Trans } from "../../shared/i18n/Trans.tsx";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { TimeAgo } from "../../shared/ui/TimeAgo.tsx";
import classes from "./ConflictNotice.module.css";

interface Props {
  strategy: Strategy;
  /** A sentence that describes the strategy which another user has saved. */
  saved: string;
  onLoad: () => void;
  onKeep: () => void;
}

/**
 * Says that another user has saved the strategy meanwhile. The user loads that version, or
 * overwrites it.
 */
export function ConflictNotice({ strategy, saved, onLoad, onKeep }: Props) {
  const { t } = useTranslation();
  return (
    <Alert
      variant="default"
      className={classes.notice ?? ""}
      role="alert"
      title={<LastChange strategy={strategy} />}
      icon={<IconAlertTriangle size={18} aria-hidden />}
    >
      <Text size="sm">{t("flag.conflictText")}</Text>
      <Text size="sm" mt={4} fw={600}>
        {saved}
      </Text>
      <Group gap="xs" mt="sm">
        <Button size="compact-sm" variant="default" onClick={onLoad}>
          {t("flag.loadSaved")}
        </Button>
        <Button size="compact-sm" variant="default" onClick={onKeep}>
          {t("flag.keepDraft")}
        </Button>
      </Group>
    </Alert>
  );
}

/** Who saved the strategy, and when. Says "someone else" until that is known. */
function LastChange({ strategy: { flagId, environmentId, version } }: Pick<Props, "strategy">) {
  const { t } = useTranslation();
  const projectId = useProjectId();
  const { data, isPlaceholderData } = useQuery(
    auditQuery(["flag", flagId, "conflict", environmentId, version], () => ({
      projectId,
      entityType: "flag",
      entityId: flagId,
      environmentId,
      size: 1,
    })),
  );
  const last = data?.items[0];
  if (!last || isPlaceholderData) return t("flag.conflictTitle");
  return (
    <Trans
      i18nKey="flag.conflictBy"
      values={{ who: actorText(t, last) }}
      components={{ time: <TimeAgo at={last.at} /> }}
    />
  );
}
