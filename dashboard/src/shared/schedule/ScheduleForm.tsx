import { Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "../i18n/use-translation.ts";
import { ErrorAlert } from "../ui/ErrorAlert.tsx";
import { FormActions } from "../ui/FormActions.tsx";
import { ReasonInput } from "../ui/ReasonInput.tsx";
import { ApplyAtInput, nextHour } from "./ApplyAtInput.tsx";
import { instantOf, localOf, timeZone } from "./local-time.ts";

/** When the service makes a change, as the API takes it. */
export interface Schedule {
  applyAt: string;
  timeZone: string;
}

interface Props {
  /** What the dialog says first. */
  text: string;
  submit: string;
  /** The time that is planned now, ISO 8601. Default: none. */
  applyAt?: string | null;
  /** Whether to ask for the reason, which becomes the title. */
  asksReason: boolean;
  pending: boolean;
  error: unknown;
  onCancel: () => void;
  onSchedule: (schedule: Schedule, reason: string) => void;
}

/** Asks for the time at which the service makes a change. */
export function ScheduleForm(props: Props) {
  const { text, submit, applyAt, asksReason, pending, error, onCancel, onSchedule } = props;
  const { t } = useTranslation();
  const [local, setLocal] = useState(() => (applyAt ? localOf(Date.parse(applyAt)) : nextHour()));
  const [reason, setReason] = useState("");
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
        // The dialog is a React child of another form, to which the submit event would bubble up.
        event.stopPropagation();
        const time = instantOf(local);
        const found = faultOf(time);
        setFault(found);
        if (found !== undefined || time === undefined || pending) return;
        onSchedule({ applyAt: new Date(time).toISOString(), timeZone: timeZone() }, reason.trim());
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
        {asksReason && <ReasonInput value={reason} onChange={setReason} isRequired />}
        <FormActions onCancel={onCancel} pending={pending} submit={submit} />
      </Stack>
    </form>
  );
}
