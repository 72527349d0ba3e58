import { ActionIcon, Group, NumberInput, Select, Text } from "@mantine/core";
import { randomId } from "@mantine/hooks";
import { IconTrash } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../../shared/api/client.ts";
import { dataOf } from "../../../shared/api/response.ts";
import type { Environment, Flag, Schemas, Strategy } from "../../../shared/api/types.ts";
import { useChangeOrPropose } from "../../../shared/change-requests/use-change-or-propose.ts";
import { ProductionStrip } from "../../../shared/environments/ProductionStrip.tsx";
import { useTranslation } from "../../../shared/i18n/use-translation.ts";
import { RowsEditor } from "../../../shared/rows/RowsEditor.tsx";
import { type Row, useRows } from "../../../shared/rows/use-rows.ts";
import { FormActions } from "../../../shared/ui/FormActions.tsx";
import { FormModal } from "../../../shared/ui/FormModal.tsx";
import { OneTimeSecretModal } from "../../../shared/ui/OneTimeSecretModal.tsx";
import { ServerForm } from "../../../shared/ui/ServerForm.tsx";
import { useNotify } from "../../../shared/ui/use-notify.tsx";
import { useServerForm } from "../../../shared/use-server-form.ts";
import { PercentInput } from "../PercentInput.tsx";
import classes from "./RampDialog.module.css";

/** The most steps that the API accepts. */
const MAX_STEPS = 20;

/** The units of a hold, in minutes. */
const UNITS = { minutes: 1, hours: 60, days: 1440 } as const;
type Unit = keyof typeof UNITS | "person";

/** A step in the form. */
interface StepRow extends Row {
  readonly percentage: number;
  readonly hold: number;
  /** `person`: until somebody advances the ramp. */
  readonly unit: Unit;
}

const newStep = (percentage: number, hold: number, unit: Unit): StepRow => ({
  id: randomId(),
  errors: {},
  percentage,
  hold,
  unit,
});

const firstSteps = (from: number, goal: number): StepRow[] => [
  ...[newStep(1, 1, "hours"), newStep(10, 1, "days"), newStep(50, 1, "days")].filter(
    ({ percentage }) => from < percentage && percentage < goal,
  ),
  newStep(goal, 1, "person"),
];

/** The last step ends the ramp, so it has no hold that a person ends. */
const toSteps = (rows: readonly StepRow[]): Schemas["StartRamp"]["steps"] =>
  rows.map(({ percentage, hold, unit }) => ({
    exactPercentage: percentage,
    holdMinutes: unit === "person" ? null : hold * UNITS[unit],
  }));

interface Subject {
  flag: Flag;
  environment: Environment;
  strategy: Strategy;
  /** The percentage to which the ramp raises the present one. Default: from none to all users. */
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
  const { rows, setRows, failures, submit } = useRows("steps", () =>
    firstSteps(goal !== undefined && strategy.enabled ? strategy.exactPercentage : 0, goal ?? 100),
  );
  const [ruleId, setRuleId] = useState(STRATEGY);
  const [stop, setStop] = useState(NO_STOP);
  const start = useMutation({
    mutationFn: (body: Schemas["StartRamp"]) => dataOf(api.POST("/api/v1/ramps", { body })),
  });
  const { pending, error, onSubmit } = useServerForm({
    form: { initialValues: {} },
    submit: () =>
      submit(rows, async () => {
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
          onChange={(chosen) => setRuleId(chosen ?? STRATEGY)}
          allowDeselect={false}
        />
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
              data={(["minutes", "hours", "days", "person"] as const).map((unit) => ({
                value: unit,
                label:
                  unit === "person" && number === rows.length
                    ? t("ramps.units.end")
                    : t(`ramps.units.${unit}`),
              }))}
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
