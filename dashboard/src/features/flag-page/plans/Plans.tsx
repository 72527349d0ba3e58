import { Button, Group, Paper, Stack, Text } from "@mantine/core";
import { IconCalendarClock, IconStairsUp } from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { api } from "../../../shared/api/client.ts";
import { dataOf } from "../../../shared/api/response.ts";
import type { Environment, Flag, Schemas } from "../../../shared/api/types.ts";
import { Trans } from "../../../shared/i18n/Trans.tsx";
import { useFormat } from "../../../shared/i18n/use-format.ts";
import { useTranslation } from "../../../shared/i18n/use-translation.ts";
import { PlannedTime } from "../../../shared/schedule/PlannedTime.tsx";
import { activeRampsQuery, scheduleQuery } from "../../../shared/schedule/queries.ts";
import { LinkAnchor } from "../../../shared/ui/links.tsx";
import { useConfirm } from "../../../shared/ui/use-confirm.tsx";
import { useNotify } from "../../../shared/ui/use-notify.tsx";
import classes from "./Plans.module.css";

type Ramp = Schemas["Ramp"];

interface Props {
  flag: Flag;
  environment: Environment;
  canWrite: boolean;
}

/** What the service will change of a flag in one environment: its ramp, and scheduled change requests. */
export function Plans({ flag, environment, canWrite }: Props) {
  const { projectId } = flag;
  const { data: planned } = useQuery(scheduleQuery({ projectId, flagId: flag.id }));
  const hasRamp = planned?.items.some(({ kind }) => kind === "ramp") ?? false;
  // Most flags have none, so the page asks only if there is one.
  const { data: ramps } = useQuery({ ...activeRampsQuery(flag.id), enabled: hasRamp });
  const ramp = hasRamp
    ? ramps?.items.find((one) => one.environmentId === environment.id)
    : undefined;
  const requests = (planned?.items ?? []).filter(
    (one) =>
      one.kind === "change-request" &&
      (one.environment === null || one.environment.id === environment.id),
  );
  if (!ramp && requests.length === 0) return null;
  return (
    <Stack gap="xs">
      {ramp && <RunningRamp ramp={ramp} canWrite={canWrite} />}
      {requests.map(({ id, title, at }) => (
        <Plan key={id} icon={<IconCalendarClock size={18} stroke={1.75} aria-hidden />}>
          <LinkAnchor
            size="sm"
            to="/projects/$projectId/change-requests/$requestId"
            params={{ projectId, requestId: id }}
          >
            {title}
          </LinkAnchor>
          <Text size="sm">{at !== null && <PlannedTime at={at} />}</Text>
        </Plan>
      ))}
    </Stack>
  );
}

function Plan({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <Paper withBorder radius="md" p="sm" className={classes.plan}>
      <span className={classes.icon}>{icon}</span>
      <div className={classes.words}>{children}</div>
    </Paper>
  );
}

const DONE = {
  pause: "ramps.paused",
  resume: "ramps.resumed",
  advance: "ramps.advanced",
  abort: "ramps.aborted",
} as const;
type Action = keyof typeof DONE;

function RunningRamp({ ramp, canWrite }: { ramp: Ramp; canWrite: boolean }) {
  const { t } = useTranslation();
  const { exactPercent } = useFormat();
  const confirm = useConfirm();
  const notify = useNotify();
  const { mutateAsync, isPending } = useMutation({
    mutationFn: (action: Action) =>
      dataOf(api.POST(`/api/v1/ramps/{id}/${action}`, { params: { path: { id: ramp.id } } })),
  });
  const { state, steps, step, nextAt, before, environmentName } = ramp;
  const percent = (value: number | undefined) => exactPercent((value ?? 0) / 100);
  const next = steps[step + 1]?.exactPercentage;
  const now = percent(steps[step]?.exactPercentage);

  const act = async (action: Action) => {
    const isConfirmed =
      (action !== "abort" && action !== "advance") ||
      (await confirm({
        title: t(`ramps.${action}Ask`, { environment: environmentName, percentage: percent(next) }),
        children: t(`ramps.${action}Text`, { percentage: percent(before.exactPercentage) }),
        confirm: t(`ramps.${action}`),
        isDangerous: action === "abort",
      }));
    if (!isConfirmed) return;
    try {
      await mutateAsync(action);
      notify.done(t(DONE[action]));
    } catch (error) {
      notify.failed(error);
    }
  };
  const button = (action: Action) => (
    <Button
      size="compact-sm"
      variant={action === "abort" ? "outline" : "default"}
      {...(action === "abort" && { color: "red" })}
      loading={isPending}
      onClick={() => void act(action)}
    >
      {t(`ramps.${action}`)}
    </Button>
  );
  return (
    <Plan icon={<IconStairsUp size={18} stroke={1.75} aria-hidden />}>
      <Text size="sm" fw={600}>
        {t(`ramps.states.${state}`)}
      </Text>
      <Text size="sm">
        {next === undefined
          ? t("ramps.last", { percentage: now })
          : t("ramps.from", { percentage: now, next: percent(next) })}{" "}
        {nextAt !== null && (
          <Trans i18nKey="ramps.at" components={{ time: <PlannedTime at={nextAt} /> }} />
        )}
      </Text>
      {ramp.reason !== null && <Text size="sm">{ramp.reason}</Text>}
      <Text size="sm" c="dimmed">
        {t("ramps.steps", { steps: steps.map((one) => percent(one.exactPercentage)).join(" → ") })}
      </Text>
      {canWrite && (
        <Group gap="xs" mt="xs">
          {state === "paused" ? button("resume") : button("pause")}
          {next !== undefined && state !== "paused" && button("advance")}
          {button("abort")}
        </Group>
      )}
    </Plan>
  );
}
