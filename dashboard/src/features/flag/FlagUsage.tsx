import { Paper, Stack, Text } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { dataOf } from "../../shared/api/response.ts";
import { api } from "../../shared/api/client.ts";
import type { Environment, Flag } from "../../shared/api/types.ts";
import { periodOf, usageRefreshMs, type UsageRange } from "../../shared/charts/usage-ranges.ts";
import { resultParts, variantParts } from "../../shared/charts/usage-parts.ts";
import { evaluations } from "../../shared/charts/usage.ts";
import { UsageChart } from "../../shared/charts/UsageChart.tsx";
import { UsageControls } from "../../shared/charts/UsageControls.tsx";
import { defaultEnvironment, environmentsQuery } from "../../shared/data/environments.ts";
import { useFormat } from "../../shared/i18n/use-format.ts";
import { QueryView } from "../../shared/ui/QueryView.tsx";

const route = getRouteApi("/projects/$projectId/flags/$flagId");

/**
 * A chart of how often each variant of the flag was served in one environment. For a boolean flag,
 * and if no SDK has reported variants, a chart of how often the flag was true and false. The chart
 * first shows the environment in the URL, or the default environment if the URL contains none. The
 * user can choose another environment.
 */
export function FlagUsage({ flag }: { flag: Flag }) {
  const { t } = useTranslation();
  const environments = useQuery(environmentsQuery(flag.projectId));
  const { environment: ofPage } = route.useSearch();
  const [chosen = ofPage, choose] = useState<number>();
  const [range, setRange] = useState<UsageRange>("24h");
  return (
    <QueryView query={environments}>
      {(list) => {
        const environment = list.find(({ id }) => id === chosen) ?? defaultEnvironment(list);
        return (
          <Paper withBorder radius="md" p="md">
            {environment ? (
              <Stack>
                <UsageControls
                  environments={list}
                  environmentId={environment.id}
                  onEnvironment={choose}
                  range={range}
                  onRange={setRange}
                />
                <UsageInEnvironment flag={flag} environment={environment} range={range} />
              </Stack>
            ) : (
              <Text size="sm" c="dimmed">
                {t("insights.noEnvironmentsText")}
              </Text>
            )}
          </Paper>
        );
      }}
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
