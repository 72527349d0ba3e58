import { Button, Group, Text } from "@mantine/core";
import { IconStairsUp } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { api } from "../../../shared/api/client.ts";
import { dataOf } from "../../../shared/api/response.ts";
import type { Schemas } from "../../../shared/api/types.ts";
import { Trans } from "../../../shared/i18n/Trans.tsx";
import { useFormat } from "../../../shared/i18n/use-format.ts";
import { useTranslation } from "../../../shared/i18n/use-translation.ts";
import { PlannedTime } from "../../../shared/schedule/PlannedTime.tsx";
import { useConfirm } from "../../../shared/ui/use-confirm.tsx";
import { useNotify } from "../../../shared/ui/use-notify.tsx";
import { Plan } from "./Plan.tsx";
import { RampSteps } from "./RampSteps.tsx";

type Ramp = Schemas["Ramp"];

const DONE = {
  pause: "ramps.paused",
  resume: "ramps.resumed",
  advance: "ramps.advanced",
  abort: "ramps.aborted",
} as const;
type Action = keyof typeof DONE;

/** A ramp that can go on: its steps, when the next one begins, and the buttons that change it. */
export function RunningRamp({ ramp, canWrite }: { ramp: Ramp; canWrite: boolean }) {
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
      <RampSteps ramp={ramp} />
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
