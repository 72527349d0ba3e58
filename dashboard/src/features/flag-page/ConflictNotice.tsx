import { Alert, Button, Group, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import classes from "./ConflictNotice.module.css";

interface Props {
  /** A sentence that describes the strategy which another user has saved. */
  saved: string;
  onLoad: () => void;
  onKeep: () => void;
}

/**
 * Says that another user has saved the strategy meanwhile. The user loads that version, or
 * overwrites it.
 */
export function ConflictNotice({ saved, onLoad, onKeep }: Props) {
  const { t } = useTranslation();
  return (
    <Alert
      variant="default"
      className={classes.notice ?? ""}
      role="alert"
      title={t("flag.conflictTitle")}
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
