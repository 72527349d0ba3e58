import { Alert, List, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { Flag } from "../../shared/api/types.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import type { StrategyContent } from "../../shared/strategy/settings.ts";
import classes from "./ConflictNotice.module.css";
import { isWrongForOldSdks } from "./old-sdks.ts";
import { oldInstancesQuery } from "./queries.ts";

interface Props {
  flag: Flag;
  environment: { id: number; name: string };
  strategy: StrategyContent;
}

/**
 * Names the SDK instances that do not know ordered rules, if such instances get wrong results for
 * the flag.
 */
export function OldSdkWarning({ flag, environment, strategy }: Props) {
  const { t } = useTranslation();
  const isWrong = isWrongForOldSdks(flag, strategy);
  const { data } = useQuery({
    ...oldInstancesQuery(flag.projectId, environment.id),
    enabled: isWrong,
  });
  if (!isWrong || !data || data.total === 0) return null;
  const more = data.total - data.instances.length;
  return (
    <Alert
      variant="default"
      className={classes.notice ?? ""}
      title={t("flag.oldSdks.title")}
      icon={<IconAlertTriangle size={18} aria-hidden />}
    >
      <Text size="sm">{t("flag.oldSdks.text", { environment: environment.name })}</Text>
      <List size="sm" mt={4}>
        {data.instances.map(({ appName, instanceId, sdkVersion }) => (
          <List.Item key={`${appName} ${instanceId}`}>
            {t("flag.oldSdks.instance", {
              app: appName ?? t("flag.oldSdks.noApp"),
              instance: instanceId,
              sdk: sdkVersion ?? t("flag.oldSdks.noVersion"),
            })}
          </List.Item>
        ))}
        {more > 0 && <List.Item>{t("flag.oldSdks.more", { count: more })}</List.Item>}
      </List>
    </Alert>
  );
}
