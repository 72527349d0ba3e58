import { Paper, Text, Title } from "@mantine/core";
import { useEffect, useRef } from "react";
import type { Flag } from "../../shared/api/types.ts";
import { useProjectId } from "../../shared/data/use-project-id.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { LinkButton } from "../../shared/ui/links.tsx";
import classes from "./Steps.module.css";

interface Props {
  flag: Flag;
  /** True if the user completed the last step just now. The page then scrolls here. */
  isNew: boolean;
}

/** The card that is shown when all steps of the guided start are done. Links to the next tasks. */
export function StartCompleted({ flag, isNew }: Props) {
  const { t } = useTranslation();
  const card = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isNew) card.current?.scrollIntoView({ block: "nearest" });
  }, [isNew]);
  const projectId = useProjectId();
  return (
    <Paper ref={card} withBorder radius="md" p="lg" mt="lg" maw="48rem">
      <div role="status">
        <Title order={2} size="h4">
          {t("start.allDone")}
        </Title>
        <Text size="sm" c="dimmed" mt={4} mb="md">
          {t("start.allDoneText")}
        </Text>
      </div>
      <div className={classes.links}>
        <LinkButton to="/projects/$projectId/flags/$flagId" params={{ projectId, flagId: flag.id }}>
          {t("start.toFlag", { flag: flag.name })}
        </LinkButton>
        <LinkButton variant="default" to="/projects/$projectId/playground" params={{ projectId }}>
          {t("start.toPlayground")}
        </LinkButton>
        <LinkButton variant="default" to="/projects/$projectId/flags" params={{ projectId }}>
          {t("start.toFlags")}
        </LinkButton>
      </div>
    </Paper>
  );
}
