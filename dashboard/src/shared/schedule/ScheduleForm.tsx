import { Select, Stack, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Candidates } from "../change-requests/queries.ts";
import { ReviewersInput } from "../change-requests/ReviewersInput.tsx";
import { useFormat } from "../i18n/use-format.ts";
import { useTranslation } from "../i18n/use-translation.ts";
import { ErrorAlert } from "../ui/ErrorAlert.tsx";
import { FormActions } from "../ui/FormActions.tsx";
import { ReasonInput } from "../ui/ReasonInput.tsx";
import { instantOf, localOf, timeZone, offsetOf } from "./local-time.ts";
import { scheduleQuery } from "./queries.ts";

/** When the service makes a change, as the API takes it. */
export interface Schedule {
  applyAt: string;
  timeZone: string;
  /** The scheduled change request after which, and on whose result, the change is made. */
  dependsOn?: number;
}

interface Props {
  /** What the dialog says first. */
  text: string;
  submit: string;
  /** The time that is planned now, ISO 8601. Default: none. */
  applyAt?: string | null;
  /**
   * Where a new request is, for which the form also asks for the reason, for reviewers and for an earlier request.
   * Undefined: only the time of a request changes.
   */
  newIn?: Candidates;
  pending: boolean;
  error: unknown;
  onCancel: () => void;
  onSchedule: (schedule: Schedule, reason: string, reviewers: number[]) => void;
}

/** Asks for the time at which the service makes a change. */
export function ScheduleForm(props: Props) {
  const { text, submit, applyAt, newIn, pending, error, onCancel, onSchedule } = props;
  const { t } = useTranslation();
  const [local, setLocal] = useState(() => (applyAt ? localOf(Date.parse(applyAt)) : nextHour()));
  const [reason, setReason] = useState("");
  const [dependsOn, setDependsOn] = useState<string | null>(null);
  const [reviewers, setReviewers] = useState<readonly number[]>([]);
  const [fault, setFault] = useState<string>();
  const faultOf = (time: number | undefined): string | undefined => {
    if (time === undefined) return t("schedule.missingHour");
    return time < Date.now() ? t("schedule.past") : undefined;
  };
  return (
    <form
      aria-busy={pending}
      onSubmit={(event) => {
        event.preventDefault();
        const time = instantOf(local);
        const found = faultOf(time);
        setFault(found);
        if (found !== undefined || time === undefined || pending) return;
        const schedule = { applyAt: new Date(time).toISOString(), timeZone: timeZone() };
        onSchedule(
          { ...schedule, ...(dependsOn !== null && { dependsOn: Number(dependsOn) }) },
          reason.trim(),
          [...reviewers],
        );
      }}
    >
      <Stack>
        <Text size="sm">{text}</Text>
        {error !== null && error !== undefined && <ErrorAlert error={error} />}
        <ApplyAtInput
          value={local}
          onChange={(value) => {
            setLocal(value);
            setFault(undefined);
          }}
          error={fault}
        />
        {newIn !== undefined && (
          <>
            <EarlierInput projectId={newIn.projectId} value={dependsOn} onChange={setDependsOn} />
            <ReasonInput value={reason} onChange={setReason} isRequired />
            <ReviewersInput of={newIn} onChange={setReviewers} />
          </>
        )}
        <FormActions onCancel={onCancel} pending={pending} submit={submit} />
      </Stack>
    </form>
  );
}

interface EarlierProps {
  projectId: number;
  /** The id of the chosen request. Null: none. */
  value: string | null;
  onChange: (id: string | null) => void;
}

/** An optional choice of a scheduled change request of the project. Renders nothing if there is none. */
function EarlierInput({ projectId, value, onChange }: EarlierProps) {
  const { t } = useTranslation();
  const { dateTime } = useFormat();
  const { data } = useQuery(scheduleQuery({ projectId }));
  const options = (data?.items ?? []).flatMap(({ kind, id, title, at, blockedBy }) =>
    kind === "change-request" && at !== null && blockedBy === null
      ? { value: String(id), label: t("schedule.earlier", { title, at: dateTime(at) }) }
      : [],
  );
  if (options.length === 0) return null;
  return (
    <Select
      label={`${t("schedule.after")} (${t("common.optional")})`}
      description={t("schedule.afterHint")}
      data={options}
      value={value}
      onChange={onChange}
      clearable
      searchable
    />
  );
}

interface ApplyAtInputProps {
  /** A date and time in the time zone of the browser, without an offset. It may be empty. */
  value: string;
  onChange: (value: string) => void;
  error?: string | undefined;
}

/** An input for the time of a planned change. Shows the offset of the time zone on the chosen day. */
function ApplyAtInput({ value, onChange, error }: ApplyAtInputProps) {
  const { t } = useTranslation();
  const time = instantOf(value);
  return (
    <TextInput
      type="datetime-local"
      label={t("schedule.applyAt")}
      description={
        time === undefined || offsetOf(time) === timeZone()
          ? t("schedule.zone", { zone: timeZone() })
          : t("schedule.zoneAt", { zone: timeZone(), offset: offsetOf(time) })
      }
      required
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      error={error}
      data-autofocus
    />
  );
}

/** The first full hour that is at least 30 minutes away, for `ApplyAtInput`. */
function nextHour(): string {
  const time = new Date(Date.now() + 90 * 60_000);
  time.setMinutes(0, 0, 0);
  return localOf(time.getTime());
}
