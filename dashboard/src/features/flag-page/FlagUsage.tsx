import { Group, Paper, Stack, Text } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { dataOf } from "../../shared/api/response.ts";
import { api } from "../../shared/api/client.ts";
import type { Environment, Flag } from "../../shared/api/types.ts";
import {
  comparedIds,
  periodOf,
  rangeOf,
  type UsageSearch,
  usageRefreshMs,
  validateUsageSearch,
} from "../../shared/charts/usage-ranges.ts";
import { flagParts } from "../../shared/charts/usage-parts.ts";
import { evaluations, sumOf } from "../../shared/charts/usage.ts";
import { UsageControls } from "../../shared/charts/UsageControls.tsx";
import { UsagePanel } from "../../shared/charts/UsagePanel.tsx";
import { environmentsQuery } from "../../shared/data/environments.ts";
import { useFormat } from "../../shared/i18n/use-format.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { QueryView } from "../../shared/ui/QueryView.tsx";
import { useOpenEnvironment } from "./use-open-environment.ts";

/** Shows the usage of the flag: on and off if it is boolean, otherwise by variant. */
export function FlagUsage({ flag }: { flag: Flag }) {
  const { t } = useTranslation();
  const environments = useQuery(environmentsQuery(flag.projectId));
  const open = useOpenEnvironment(flag);
  const [search, setSearch] = useUsageSearch();
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
                <Group justify="space-between" align="flex-start">
                  <Text fw={600}>{open.environment.name}</Text>
                  <UsageControls
                    environments={list}
                    environmentId={open.environment.id}
                    search={search}
                    onChange={setSearch}
                  />
                </Group>
                <Usage
                  flag={flag}
                  environment={open.environment}
                  environments={list}
                  search={search}
                />
              </Stack>
            )
          )}
        </Paper>
      )}
    </QueryView>
  );
}

/** The range and the comparison. They begin with those of the URL, and stay when the environment changes. */
function useUsageSearch() {
  const fromUrl = useSearch({ strict: false, select: validateUsageSearch });
  const navigate = useNavigate();
  const [search, setSearch] = useState<UsageSearch>(fromUrl);
  const change = (changed: UsageSearch) => {
    setSearch(changed);
    const next = (previous: object) => ({ ...previous, ...changed });
    void navigate({ to: ".", search: next, replace: true, resetScroll: false });
  };
  return [search, change] as const;
}

interface Props {
  flag: Flag;
  environment: Environment;
  environments: readonly Environment[];
  search: UsageSearch;
}

function Usage({ flag, environment, environments, search }: Props) {
  const { t } = useTranslation();
  const range = rangeOf(search);
  const [first, ...others] = comparedIds(environment.id, environments, search);
  const usage = useQuery({
    queryKey: ["flags", flag.id, "usage", first, others, range],
    queryFn: ({ signal }) => {
      const period = periodOf(range);
      const read = (environmentId: number) => {
        const params = { path: { flagId: flag.id }, query: { environmentId, ...period } };
        return dataOf(api.GET("/api/v1/flags/{flagId}/metrics", { params, signal }));
      };
      return Promise.all([read(first), ...others.map(read)]);
    },
    refetchInterval: usageRefreshMs(range),
    placeholderData: keepPreviousData,
  });
  return (
    <QueryView query={usage}>
      {(data) => {
        const totals = sumOf(data.map((one) => one.totals));
        return evaluations(totals) > 0 ? (
          <UsagePanel
            projectId={flag.projectId}
            flagKey={flag.key}
            environments={environments}
            usages={data}
            parts={flagParts(t, flag, totals)}
          />
        ) : (
          <NoUsage flag={flag} environment={environment} />
        );
      }}
    </QueryView>
  );
}

function NoUsage({ flag, environment }: Pick<Props, "flag" | "environment">) {
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
