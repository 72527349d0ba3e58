import { Alert, Button, Group } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { hasStatus } from "../../shared/api/api-error.ts";
import { ErrorAlert } from "../../shared/ui/ErrorAlert.tsx";
import type { ChangeRequest } from "../../shared/api/types.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { ScheduleForm } from "../../shared/schedule/ScheduleForm.tsx";
import { FormModal } from "../../shared/ui/FormModal.tsx";
import { useQuestion } from "../../shared/ui/use-confirm.tsx";
import { type Choice, conflictsOf, RebaseForm } from "./RebaseForm.tsx";
import { ReviewForm } from "./ReviewForm.tsx";
import { useAllowed } from "./use-allowed.ts";
import type { Action, RequestAction, Verdict } from "./use-request-action.ts";

const VERDICTS = [
  { verdict: "approve", key: "a", color: "green" },
  { verdict: "reject", key: "x", color: "red" },
] as const satisfies { verdict: Verdict; key: string; color: string }[];

interface Props {
  request: ChangeRequest;
  action: RequestAction;
}

/** The buttons of an open request. Renders nothing without buttons. */
export function RequestActions({ request, action: act }: Props) {
  const { t } = useTranslation();
  const may = useAllowed(request);
  const ask = useQuestion();
  const [verdict, setVerdict] = useState<Verdict>();
  const [isScheduling, setIsScheduling] = useState(false);
  const { title, hash } = request;
  const send = (action: Action) => act.mutate({ hash, action });
  const conflicts = conflictsOf(act.error);
  const buttons: ReactNode[] = [
    may.close && (
      <Button key="close" variant="default" onClick={() => void close()}>
        {t("changeRequests.close")}
      </Button>
    ),
    may.schedule && (
      <Button key="schedule" variant="default" onClick={() => setIsScheduling(true)}>
        {t("schedule.open")}
      </Button>
    ),
    may.unschedule && (
      <Button key="unschedule" variant="default" onClick={unschedule}>
        {t("schedule.remove")}
      </Button>
    ),
    may.bypass && (
      <Button key="bypass" variant="outline" color="red" onClick={() => void apply(true)}>
        {t("changeRequests.bypass")}
      </Button>
    ),
    ...VERDICTS.filter((one) => may[one.verdict]).map(({ verdict: given, key, color }) => (
      <Button
        key={given}
        variant={given === "approve" ? "filled" : "outline"}
        color={color}
        aria-keyshortcuts={key}
        title={key.toUpperCase()}
        onClick={() => setVerdict(given)}
      >
        {t(`changeRequests.${given}`)}
      </Button>
    )),
    may.rebase && (
      <Button key="rebase" loading={act.isPending} onClick={() => rebase([])}>
        {t("changeRequests.rebase")}
      </Button>
    ),
    may.apply && (
      <Button key="apply" loading={act.isPending} onClick={() => void apply(false)}>
        {t("changeRequests.apply")}
      </Button>
    ),
  ].filter(Boolean);

  async function close() {
    const confirmed = await ask({
      title: t("changeRequests.closeAsk", { title }),
      children: t("changeRequests.closeText"),
      confirm: t("changeRequests.close"),
      isDangerous: true,
    });
    if (confirmed) send({ kind: "close", done: t("changeRequests.closed") });
  }

  async function apply(bypass: boolean) {
    const confirmed = await ask({
      title: t(bypass ? "changeRequests.bypassAsk" : "changeRequests.applyAsk", { title }),
      children: t(bypass ? "changeRequests.bypassText" : "changeRequests.applyText"),
      confirm: t(bypass ? "changeRequests.bypass" : "changeRequests.apply"),
      isDangerous: bypass,
      ...(bypass && { asksReason: "required" }),
    });
    const bypassReason = bypass ? confirmed?.reason : undefined;
    if (confirmed) send({ kind: "apply", bypassReason, done: t("changeRequests.applied") });
  }

  function unschedule() {
    const schedule = { applyAt: null, timeZone: null };
    send({ kind: "schedule", schedule, done: t("schedule.removed") });
  }

  function rebase(choices: readonly Choice[]) {
    send({ kind: "rebase", choices, done: t("changeRequests.rebased") });
  }

  return (
    <>
      {buttons.length > 0 && (
        <Group gap="xs" role="group" aria-label={t("changeRequests.actions")}>
          {buttons}
        </Group>
      )}
      <FormModal
        title={t(`changeRequests.${verdict ?? "approve"}Ask`, { title })}
        opened={verdict !== undefined}
        onClose={() => setVerdict(undefined)}
      >
        {verdict && (
          <ReviewForm
            verdict={verdict}
            onCancel={() => setVerdict(undefined)}
            onReview={(comment) => {
              setVerdict(undefined);
              const done = t(`changeRequests.reviewed.${verdict}`);
              send({ kind: "review", verdict, comment, done });
            }}
          />
        )}
      </FormModal>
      <FormModal
        title={t("schedule.changeTitle")}
        opened={isScheduling}
        onClose={() => setIsScheduling(false)}
        isConfirmation
      >
        <ScheduleForm
          text={t("schedule.changeText")}
          submit={t("schedule.submit")}
          applyAt={request.applyAt}
          pending={act.isPending}
          error={undefined}
          onCancel={() => setIsScheduling(false)}
          onSchedule={(schedule) => {
            setIsScheduling(false);
            send({ kind: "schedule", schedule, done: t("schedule.changed") });
          }}
        />
      </FormModal>
      <FormModal
        title={t("changeRequests.rebaseTitle")}
        opened={conflicts.length > 0 && may.rebase}
        onClose={act.reset}
        size="lg"
        isConfirmation
      >
        <RebaseForm
          request={request}
          conflicts={conflicts}
          onCancel={act.reset}
          onRebase={rebase}
        />
      </FormModal>
    </>
  );
}

/** The error of the last action. It renders nothing for the fields of a rebase, which a dialog asks about. */
export function ActionError({ action: { error } }: Pick<Props, "action">) {
  const { t } = useTranslation();
  if (!error || conflictsOf(error).length > 0) return null;
  return hasStatus(error, 412) ? (
    <Alert color="yellow" role="alert">
      {t("changeRequests.changed")}
    </Alert>
  ) : (
    <ErrorAlert error={error} />
  );
}
