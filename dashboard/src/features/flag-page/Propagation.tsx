import { Button, Group, Progress, Skeleton, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Schemas } from "../../shared/api/types.ts";
import { Trans } from "../../shared/i18n/Trans.tsx";
import { useFormat } from "../../shared/i18n/use-format.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { QueryView } from "../../shared/ui/QueryView.tsx";
import { propagationQuery } from "../../shared/data/environments.ts";
import { LinkAnchor } from "../../shared/ui/links.tsx";
import classes from "./Propagation.module.css";

const REFETCH_MS = 2_000;
/**
 * How long the page refetches the number of up-to-date SDK instances after a change, in
 * milliseconds. By default, SDKs poll every 30 s, so an SDK instance that misses two polls has
 * probably stopped.
 */
const WATCH_MS = 60_000;
/** The text names at most this many SDK instances with outdated rules, and counts the others. */
const MAX_NAMES = 5;

interface Props {
  projectId: number;
  environment: { id: number; name: string };
  /** When this page last noticed new rules, epoch milliseconds. Undefined if it has not. */
  changedAt: number | undefined;
}

/** After a change of the rules, updates for `WATCH_MS`, or until all instances have them. */
export function Propagation({ projectId, environment, changedAt }: Props) {
  const isWatched = () => changedAt !== undefined && Date.now() - changedAt < WATCH_MS;
  const query = useQuery({
    ...propagationQuery(environment.id),
    refetchInterval: ({ state }) =>
      isWatched() && state.data?.complete !== true ? REFETCH_MS : false,
  });
  return (
    <div className={classes.line}>
      <QueryView query={query} skeleton={<Skeleton height={18} />}>
        {(data) =>
          data.instances.known === 0 ? (
            <Text size="xs" c="dimmed">
              <Trans
                i18nKey="flag.propagation.unknown"
                values={{
                  minutes: Math.round(data.seenWithinSeconds / 60),
                }}
                components={{
                  keys: (
                    <LinkAnchor
                      inherit
                      underline="always"
                      to="/projects/$projectId/api-keys"
                      params={{ projectId }}
                    />
                  ),
                }}
              />
            </Text>
          ) : (
            <PropagationStatus propagation={data} onRefresh={() => void query.refetch()} />
          )
        }
      </QueryView>
    </div>
  );
}

function PropagationStatus({
  propagation,
  onRefresh,
}: {
  propagation: Schemas["Propagation"];
  onRefresh: () => void;
}) {
  const { t } = useTranslation();
  const format = useFormat();
  const { revision, instances, complete, pendingInstances, slowestMs } = propagation;
  const { known, upToDate, pending } = instances;
  const names = pendingInstances
    .slice(0, MAX_NAMES)
    .map(({ instanceId, appName }) =>
      appName === null ? instanceId : `${instanceId} (${appName})`,
    );
  const unnamed = pending - names.length;
  if (unnamed > 0) names.push(t("flag.propagation.more", { count: unnamed }));
  return (
    <>
      {!complete && (
        <Progress
          value={(upToDate / known) * 100}
          aria-label={t("flag.propagation.progress")}
          my={6}
        />
      )}
      <Group justify="space-between" gap="xs">
        <Text size="xs" c="dimmed" role="status" className={classes.words}>
          {complete
            ? t("flag.propagation.complete", { count: known, revision })
            : t("flag.propagation.partial", { count: known, upToDate, revision })}
          {complete &&
            slowestMs !== null &&
            ` ${t("flag.propagation.slowest", { seconds: format.number(Math.ceil(slowestMs / 1000)) })}`}
          {!complete && ` ${t("flag.propagation.pending", { names: format.list(names) })}`}
        </Text>
        {!complete && (
          <Button size="compact-sm" variant="default" onClick={onRefresh}>
            {t("flag.propagation.refresh")}
          </Button>
        )}
      </Group>
    </>
  );
}
