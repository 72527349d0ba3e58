import { Group, Paper, Stack, Text } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { dataOf } from "../../shared/api/response.ts";
import { api } from "../../shared/api/client.ts";
import type { Environment, Flag } from "../../shared/api/types.ts";
import { periodOf, usageRefreshMs, type UsageRange } from "../../shared/charts/usage-ranges.ts";
import { resultParts, variantParts } from "../../shared/charts/usage-parts.ts";
import { evaluations } from "../../shared/charts/usage.ts";
import { UsageChart } from "../../shared/charts/UsageChart.tsx";
import { RangeControl } from "../../shared/charts/UsageControls.tsx";
import { environmentsQuery } from "../../shared/data/environments.ts";
import { useFormat } from "../../shared/i18n/use-format.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { QueryView } from "../../shared/ui/QueryView.tsx";
import { useOpenEnvironment } from "./use-open-environment.ts";

/**
 * Shows the usage of the flag by variant. Shows true and false for a boolean flag, and while no SDK
 * has reported variants.
 */
export function FlagUsage({ flag }: { flag: Flag }) {
  const { t } = useTranslation();
  const environments = useQuery(environmentsQuery(flag.projectId));
  const open = useOpenEnvironment(flag);
  const [range, setRange] = useState<UsageRange>("24h");
  return (
    <QueryView query={environments}>
      {(list) => (
        <Paper withBorder radius="md" p="md">
          {list.length === 0 ? (
            <Text size="sm" c="dimmed">
              {t("insights.noEnvironmentsText")}
            </Text>
          ) : (
            open && (
              <Stack>
                <Group justify="space-between">
                  <Text fw={600}>{open.environment.name}</Text>
                  <RangeControl range={range} onRange={setRange} />
                </Group>
                <UsageInEnvironment flag={flag} environment={open.environment} range={range} />
              </Stack>
            )
          )}
        </Paper>
      )}
    </QueryView>
  );
}

interface Props {
  flag: Flag;
  environment: Environment;
  range: UsageRange;
}

function UsageInEnvironment({ flag, environment, range }: Props) {
  const { t } = useTranslation();
  const usage = useQuery({
    queryKey: ["flags", flag.id, "usage", environment.id, range],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET("/api/v1/flags/{flagId}/metrics", {
          params: {
            path: { flagId: flag.id },
            query: { environmentId: environment.id, ...periodOf(range) },
          },
          signal,
        }),
      ),
    refetchInterval: usageRefreshMs(range),
    placeholderData: keepPreviousData,
  });
  return (
    <QueryView query={usage}>
      {(data) =>
        evaluations(data.totals) > 0 ? (
          <UsageChart usage={data} parts={variantParts(t, flag, data) ?? resultParts(t)} />
        ) : (
          <NoUsage flag={flag} environment={environment} />
        )
      }
    </QueryView>
  );
}

function NoUsage({ flag, environment }: Omit<Props, "range">) {
  const { t } = useTranslation();
  const { relative } = useFormat();
  const { lastUsedAt } = flag;
  return (
    <div>
      <Text size="sm" fw={600}>
        {lastUsedAt === null
          ? t("insights.flagUnused")
          : t("insights.flagUnusedHere", { environment: environment.name })}
      </Text>
      <Text size="sm" c="dimmed" mt={4}>
        {lastUsedAt === null
          ? t("insights.flagUnusedText", { key: flag.key })
          : t("insights.flagLastUsed", { when: relative(lastUsedAt) })}
      </Text>
    </div>
  );
}
