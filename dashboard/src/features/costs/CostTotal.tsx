import { Paper, Text } from "@mantine/core";
import { useFormat } from "../../shared/i18n/use-format.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { TimeAgo } from "../../shared/ui/TimeAgo.tsx";
import classes from "./Costs.module.css";
import type { PlatformUsage } from "./platform-usage-query.ts";

/** The estimated total of the last 30 days, and the price of the plan in it. */
export function CostTotal({ usage }: { usage: PlatformUsage }) {
  const { t } = useTranslation();
  const { dollars } = useFormat();
  const { days, readAt, subscriptionUsd, totalUsd } = usage;
  return (
    <Paper
      withBorder
      radius="md"
      p="lg"
      component="section"
      aria-label={t("costs.total", { days })}
    >
      <Text size="sm" c="dimmed">
        {t("costs.total", { days })}
      </Text>
      <Text className={classes.total} fw={700}>
        {dollars(totalUsd)}
      </Text>
      <Text size="sm">
        {t("costs.parts", {
          plan: dollars(subscriptionUsd),
          beyond: dollars(totalUsd - subscriptionUsd),
        })}
      </Text>
      {readAt !== null && (
        <Text size="xs" c="dimmed" mt={4}>
          {t("costs.readAt")} <TimeAgo at={readAt} />
        </Text>
      )}
    </Paper>
  );
}
