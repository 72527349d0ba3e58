import { Alert, List, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { Environment, Flag, Strategy } from "../../shared/api/types.ts";
import { usesUnleashQuery } from "../../shared/data/unleash.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import type { SegmentsById } from "../../shared/strategy/segments-by-id.ts";
import type { StrategyContent } from "../../shared/strategy/settings.ts";
import classes from "./ConflictNotice.module.css";
import { unleashNotesQuery } from "./unleash-queries.ts";

interface Props {
  flag: Flag;
  environment: Environment;
  /** The strategy that the user is about to save. */
  strategy: StrategyContent & Pick<Strategy, "enabled">;
  segments: SegmentsById;
}

/**
 * Says what SDKs of Unleash would not evaluate exactly after the change, if the environment has
 * instances of such SDKs.
 */
export function UnleashWarning({ flag, environment, strategy, segments }: Props) {
  const { t } = useTranslation();
  const { data: isUsed = false } = useQuery(usesUnleashQuery(flag.projectId, environment.id));
  const { data: notes = [] } = useQuery({
    ...unleashNotesQuery(flag, strategy, segments),
    enabled: isUsed,
  });
  if (!isUsed || notes.length === 0) return null;
  const last = strategy.rules.length;
  const place = (rule: number | null): string => {
    if (rule === null) return t("flag.unleash.wholeFlag");
    if (rule === last) return t("flag.unleash.lastRule");
    return t("flag.unleash.rule", { number: rule + 1 });
  };
  return (
    <Alert
      variant="default"
      className={classes.notice ?? ""}
      title={t("flag.unleash.title")}
      icon={<IconAlertTriangle size={18} aria-hidden />}
    >
      <Text size="sm">{t("flag.unleash.text", { environment: environment.name })}</Text>
      <List size="sm" mt={4}>
        {notes.map(({ rule, level, code, detail = "" }) => (
          <List.Item key={`${rule} ${code} ${detail}`}>
            {last > 0 && `${place(rule)}: `}
            {t(`flag.unleash.codes.${code}`, { detail })} {t(`flag.unleash.levels.${level}`)}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}
