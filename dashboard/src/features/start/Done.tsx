import { Button, Paper, Text, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { Flag } from "../../shared/api/types.ts";
import { useProjectId } from "../../shared/data/use-project-id.ts";
import classes from "./Steps.module.css";

interface Props {
  flag: Flag;
  /** It was not done when the page was opened. */
  isNews: boolean;
}

/** All steps are done, and where to go from here. */
export function Done({ flag, isNews }: Props) {
  const { t } = useTranslation();
  const card = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isNews) card.current?.scrollIntoView({ block: "nearest" });
  }, [isNews]);
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
        <Button
          renderRoot={(props) => (
            <Link
              to="/projects/$projectId/flags/$flagId"
              params={{ projectId, flagId: flag.id }}
              {...props}
            />
          )}
        >
          {t("start.toFlag", { flag: flag.name })}
        </Button>
        <Button
          variant="default"
          renderRoot={(props) => (
            <Link to="/projects/$projectId/playground" params={{ projectId }} {...props} />
          )}
        >
          {t("start.toPlayground")}
        </Button>
        <Button
          variant="default"
          renderRoot={(props) => (
            <Link to="/projects/$projectId/flags" params={{ projectId }} {...props} />
          )}
        >
          {t("start.toFlags")}
        </Button>
      </div>
    </Paper>
  );
}
