import { Alert, Button, Group, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import classes from "./OvertakenNotice.module.css";

interface Props {
  /** What they have saved, as a sentence. */
  theirs: string;
  onLoad: () => void;
  onKeep: () => void;
}

/** Somebody was faster. Nothing of what was typed goes until it is said which of the two stays. */
export function OvertakenNotice({ theirs, onLoad, onKeep }: Props) {
  const { t } = useTranslation();
  return (
    <Alert
      variant="default"
      className={classes.notice ?? ""}
      role="alert"
      title={t("flag.overtakenTitle")}
      icon={<IconAlertTriangle size={18} aria-hidden />}
    >
      <Text size="sm">{t("flag.overtakenText")}</Text>
      <Text size="sm" mt={4} fw={600}>
        {theirs}
      </Text>
      <Group gap="xs" mt="sm">
        <Button size="compact-sm" variant="default" onClick={onLoad}>
          {t("flag.loadTheirs")}
        </Button>
        <Button size="compact-sm" variant="default" onClick={onKeep}>
          {t("flag.keepMine")}
        </Button>
      </Group>
    </Alert>
  );
}
