import { ActionIcon, Group, NumberInput, Select, Text } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../../shared/api/client.ts";
import { dataOf } from "../../../shared/api/response.ts";
import type { Environment, Flag, Schemas, Strategy } from "../../../shared/api/types.ts";
import { useChangeOrPropose } from "../../../shared/change-requests/use-change-or-propose.ts";
import { ProductionStrip } from "../../../shared/environments/ProductionStrip.tsx";
import { useFormat } from "../../../shared/i18n/use-format.ts";
import { useTranslation } from "../../../shared/i18n/use-translation.ts";
import { RowsEditor } from "../../../shared/rows/RowsEditor.tsx";
import { useRows } from "../../../shared/rows/use-rows.ts";
import { FormActions } from "../../../shared/ui/FormActions.tsx";
import { FormModal } from "../../../shared/ui/FormModal.tsx";
import { OneTimeSecretModal } from "../../../shared/ui/OneTimeSecretModal.tsx";
import { ServerForm } from "../../../shared/ui/ServerForm.tsx";
import { useConfirm } from "../../../shared/ui/use-confirm.tsx";
import { useNotify } from "../../../shared/ui/use-notify.tsx";
import { useServerForm } from "../../../shared/use-server-form.ts";
import { PercentInput } from "../PercentInput.tsx";
import classes from "./RampDialog.module.css";
import { firstSteps, lostAtStart, newStep, toSteps } from "./ramp-steps.ts";

/** The most steps that the API accepts. */
const MAX_STEPS = 20;

interface Subject {
  flag: Flag;
  environment: Environment;
  strategy: Strategy;
  /** The percentage to which the ramp raises the present one. Default: all users. */
  goal?: number;
}

interface Props extends Subject {
  opened: boolean;
  onClose: () => void;
  /** Called when the ramp has started, or was proposed. */
  onStarted?: () => void;
}

/** The form of a new ramp, and then its stop URL. */
export function RampDialog({ opened, onClose, onStarted, ...subject }: Props) {
  const { t } = useTranslation();
  const [stopUrl, setStopUrl] = useState<string>();
  return (
    <>
      <FormModal
        title={t("ramps.title", { environment: subject.environment.name })}
        opened={opened && stopUrl === undefined}
        onClose={onClose}
        size="lg"
      >
        <RampForm
          {...subject}
          onCancel={onClose}
          onStarted={(url) => {
            if (url === undefined) end();
            else setStopUrl(url);
          }}
        />
      </FormModal>
      {stopUrl !== undefined && (
        <OneTimeSecretModal
          title={t("ramps.stopUrlTitle")}
          label={t("ramps.stopUrl")}
          secret={stopUrl}
          onClose={() => {
            setStopUrl(undefined);
            end();
          }}
        >
          <Text size="sm">{t("ramps.stopUrlText")}</Text>
        </OneTimeSecretModal>
      )}
    </>
  );

  function end() {
    onClose();
    onStarted?.();
  }
}

interface FormProps extends Subject {
  onCancel: () => void;
  /** Called with the stop URL, if the ramp has one. */
  onStarted: (stopUrl: string | undefined) => void;
}

const STRATEGY = "strategy";
const NO_STOP = "none";

function RampForm(props: FormProps) {
  const { flag, environment, strategy, goal, onCancel, onStarted } = props;
  const { t } = useTranslation();
  const notify = useNotify();
  const changeOrPropose = useChangeOrPropose();
  const { exactPercent } = useFormat();
  const confirm = useConfirm();
  const presentOf = (id: string) =>
    strategy.enabled
      ? (strategy.rules.find((rule) => rule.id === id) ?? strategy).exactPercentage
      : 0;
  const [ruleId, setRuleId] = useState(STRATEGY);
  const present = presentOf(ruleId);
  const { rows, setRows, failures, submit } = useRows("steps", () =>
    firstSteps(present, goal ?? 100),
  );
  const lost = lostAtStart(rows, present);
  const chooseRule = (id: string) => {
    setRuleId(id);
    setRows(firstSteps(presentOf(id), goal ?? 100));
  };
  const [stop, setStop] = useState(NO_STOP);
  const start = useMutation({
    mutationFn: (body: Schemas["StartRamp"]) => dataOf(api.POST("/api/v1/ramps", { body })),
  });
  const { pending, error, onSubmit } = useServerForm({
    form: { initialValues: {} },
    submit: () =>
      submit(rows, async () => {
        if (lost > 0 && !(await confirmLoss())) return;
        const input = { steps: toSteps(rows), ...(ruleId !== STRATEGY && { ruleId }) };
        const target = { flagId: flag.id, environmentId: environment.id };
        const action = (["pause", "abort"] as const).find((one) => one === stop);
        const started = await changeOrPropose({
          projectId: flag.projectId,
          operations: [{ kind: "ramp.start", target, input }],
          send: () =>
            start.mutateAsync({ ...target, ...input, ...(action && { stop: { action } }) }),
        });
        if (started) notify.done(t("ramps.started"));
        onStarted(started?.stopUrl);
      }),
  });
  const percent = (value: number) => exactPercent(value / 100);
  const lossWords = t("ramps.lowers", {
    present: percent(present),
    first: percent(present - lost),
    lost: percent(lost),
  });
  const confirmLoss = () =>
    confirm({
      title: t("ramps.lowersAsk", { environment: environment.name }),
      children: lossWords,
      confirm: t("ramps.lowersConfirm"),
      isDangerous: true,
    });
  return (
    <ServerForm onSubmit={onSubmit} pending={pending} error={error}>
      {environment.production && <ProductionStrip environment={environment.name} />}
      <Text size="sm">{t("ramps.about")}</Text>
      {!strategy.enabled && ruleId === STRATEGY && (
        <Text size="sm" fw={500}>
          {t("ramps.turnsOn", { environment: environment.name })}
        </Text>
      )}
      {strategy.rules.length > 0 && (
        <Select
          label={t("ramps.of")}
          data={[
            ...strategy.rules.map(({ id, name }, n) => ({
              value: id,
              label: name ?? t("ramps.rule", { number: n + 1 }),
            })),
            { value: STRATEGY, label: t("ramps.lastRule") },
          ]}
          value={ruleId}
          onChange={(chosen) => chooseRule(chosen ?? STRATEGY)}
          allowDeselect={false}
        />
      )}
      {strategy.enabled && (
        <Text size="sm">{t("ramps.present", { percentage: percent(present) })}</Text>
      )}
      <RowsEditor
        rows={rows}
        onChange={setRows}
        newRow={() => newStep(100, 1, "days")}
        add={t("ramps.add")}
        max={MAX_STEPS}
        full={t("ramps.full", { count: MAX_STEPS })}
        failures={failures}
      >
        {(row, { number, onChange, onRemove }) => (
          <Group gap="xs" align="flex-end" className={classes.step}>
            <PercentInput
              className={classes.percentage}
              aria-label={t("ramps.percentage", { number })}
              value={row.percentage}
              error={row.errors["exactPercentage"]}
              onChange={(percentage) => onChange({ ...row, percentage })}
            />
            <Text size="sm" pb={8}>
              {t("ramps.for")}
            </Text>
            {row.unit !== "person" && (
              <NumberInput
                className={classes.hold}
                aria-label={t("ramps.hold", { number })}
                value={row.hold}
                error={row.errors["holdMinutes"]}
                onChange={(hold) => onChange({ ...row, hold: Number(hold) || 1 })}
                min={1}
                max={129_600}
                allowDecimal={false}
              />
            )}
            <Select
              className={classes.unit}
              aria-label={t("ramps.unit", { number })}
              data={[
                ...(["minutes", "hours", "days"] as const).map((value) => ({
                  value,
                  label: t(`ramps.units.${value}`, { count: row.hold }),
                })),
                {
                  value: "person" as const,
                  label: t(number === rows.length ? "ramps.end" : "ramps.person"),
                },
              ]}
              value={row.unit}
              onChange={(unit) => unit && onChange({ ...row, unit })}
              allowDeselect={false}
            />
            {rows.length > 1 && (
              <ActionIcon
                variant="subtle"
                color="gray"
                size={36}
                aria-label={t("ramps.remove", { number })}
                onClick={onRemove}
              >
                <IconTrash size={16} stroke={1.75} aria-hidden />
              </ActionIcon>
            )}
          </Group>
        )}
      </RowsEditor>
      {lost > 0 && (
        <Text size="sm" fw={500} role="status">
          {lossWords}
        </Text>
      )}
      <Select
        label={t("ramps.stopUrl")}
        description={t("ramps.stopUrlHint")}
        data={[NO_STOP, "pause", "abort"].map((value) => ({
          value,
          label: t(`ramps.stops.${value as "none" | "pause" | "abort"}`),
        }))}
        value={stop}
        onChange={(chosen) => setStop(chosen ?? NO_STOP)}
        allowDeselect={false}
      />
      <FormActions onCancel={onCancel} pending={pending} submit={t("ramps.start")} />
    </ServerForm>
  );
}
