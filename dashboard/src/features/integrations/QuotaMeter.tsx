import { Group, Paper, Progress, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useProjectId } from "../../shared/data/use-project-id.ts";
import { useFormat } from "../../shared/i18n/use-format.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { webhookLimitQuery } from "./queries.ts";

/** The meter turns yellow as a warning when this share of the quota is used. */
const WARNING_SHARE = 0.8;

/**
 * The monthly quota of deliveries, which all integrations of the project share. Hidden until the
 * list above it has loaded, because the list would move it.
 */
export function QuotaMeter({ isListLoaded }: { isListLoaded: boolean }) {
  const { t } = useTranslation();
  const { number, dateTime } = useFormat();
  const { data } = useQuery(webhookLimitQuery(useProjectId()));
  if (!data || !isListLoaded) return null;
  const { limit, used, remaining, resetsAt } = data;
  const share = limit === 0 ? 1 : Math.min(1, used / limit);
  const text = t("integrations.quotaUsed", { used: number(used), limit: number(limit) });
  return (
    <Paper withBorder radius="md" p="md" mt="md">
      <Group justify="space-between" gap="xs">
        <Text size="sm" fw={600}>
          {t("integrations.quota")}
        </Text>
        <Text size="sm">{text}</Text>
      </Group>
      <Progress.Root my="xs">
        <Progress.Section
          value={share * 100}
          color={share >= 1 ? "red" : share >= WARNING_SHARE ? "yellow" : "blue"}
          aria-label={t("integrations.quota")}
          aria-valuetext={text}
        />
      </Progress.Root>
      <Text size="xs" c="dimmed">
        {remaining > 0
          ? t("integrations.quotaLeft", { left: number(remaining), when: dateTime(resetsAt) })
          : t("integrations.quotaGone", { when: dateTime(resetsAt) })}
      </Text>
    </Paper>
  );
}
