import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { hasStatus } from "../../shared/api/api-error.ts";
import { ErrorAlert } from "../../shared/ui/ErrorAlert.tsx";
import type { ChangeRequest } from "../../shared/api/types.ts";
import { environmentsQuery } from "../../shared/data/environments.ts";
import { useFormat } from "../../shared/i18n/use-format.ts";
import { Diff } from "../../shared/history/FieldChanges.tsx";
import type { ItemNames } from "../../shared/history/item-names.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { ScheduleForm } from "../../shared/schedule/ScheduleForm.tsx";
import { ActionMenu, type MenuAction } from "../../shared/ui/ActionMenu.tsx";
import { useIsNarrow } from "../../shared/ui/use-is-narrow.ts";
import { FormModal } from "../../shared/ui/FormModal.tsx";
import { useQuestion } from "../../shared/ui/use-confirm.tsx";
import { type Choice, conflictsOf, RebaseForm } from "./RebaseForm.tsx";
import { useContainedNames } from "./RequestOperations.tsx";
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
  const { list: listOf } = useFormat();
  const may = useAllowed(request);
  const ask = useQuestion();
  const [verdict, setVerdict] = useState<Verdict>();
  const [isScheduling, setIsScheduling] = useState(false);
  const { title, hash } = request;
  const send = (action: Action) => act.mutate({ hash, action });
  const conflicts = conflictsOf(act.error);
  const isNarrow = useIsNarrow();
  const { names } = useContainedNames(request);
  const { data: environments = [] } = useQuery(environmentsQuery(request.projectId));
  const production = listOf(
    environments
      .filter((one) => one.production && changes(request, one.id))
      .map(({ name }) => name),
  );
  const bypass = { label: t("changeRequests.bypass"), onClick: () => void apply(true) };
  const rare: MenuAction[] = [
    ...(may.close ? [{ label: t("changeRequests.close"), onClick: () => void close() }] : []),
    ...(may.schedule ? [{ label: t("schedule.open"), onClick: () => setIsScheduling(true) }] : []),
    ...(may.unschedule ? [{ label: t("schedule.remove"), onClick: unschedule }] : []),
    ...(may.bypass && isNarrow ? [bypass] : []),
  ];
  const buttons: ReactNode[] = [
    isNarrow && rare.length > 0 && (
      <ActionMenu key="more" label={t("changeRequests.more")} actions={rare} />
    ),
    ...(isNarrow ? [] : rare).map(({ label, onClick }) => (
      <Button key={label} variant="default" onClick={onClick}>
        {label}
      </Button>
    )),
    may.bypass && !isNarrow && (
      <Button key="bypass" variant="outline" color="red" onClick={bypass.onClick}>
        {bypass.label}
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

  async function apply(isBypass: boolean) {
    const confirmed = await ask({
      title: t(isBypass ? "changeRequests.bypassAsk" : "changeRequests.applyAsk", { title }),
      ...(production !== "" && { production }),
      children: (
        <Stack gap="sm">
          {t(isBypass ? "changeRequests.bypassText" : "changeRequests.applyText")}
          <FirstOperations request={request} names={names} />
        </Stack>
      ),
      confirm: t(isBypass ? "changeRequests.bypass" : "changeRequests.apply"),
      isDangerous: isBypass,
      ...(isBypass && { asksReason: "required" }),
    });
    const bypassReason = isBypass ? confirmed?.reason : undefined;
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

/** Whether a request has a change in an environment, or needs an approval there. */
const changes = ({ operations, approval }: ChangeRequest, id: number): boolean =>
  operations.some(({ environmentId }) => environmentId === id) ||
  approval.environments.some((one) => one.id === id);

/** How many changes the question before an apply shows. */
const SHOWN = 5;

interface FirstProps {
  request: ChangeRequest;
  names: ItemNames;
}

/** The first changes of a request, and how many others it has. No links, which would leave the question open above another page. */
function FirstOperations({ request: { operations }, names }: FirstProps) {
  const { t } = useTranslation();
  const count = operations.length - SHOWN;
  return (
    <>
      {operations.slice(0, SHOWN).map((operation) => {
        const { kind, targetId, targetName, environmentId, base, after } = operation;
        const environment = environmentId === null ? "" : names.of("environment", environmentId);
        return (
          <section key={`${kind} ${targetId} ${environmentId}`}>
            <Text size="sm" fw={600}>
              {[t(`changeRequests.kinds.${kind}`, { name: targetName ?? "" }), environment]
                .filter(Boolean)
                .join(" · ")}
            </Text>
            <Diff record={{ before: base, after }} names={names} />
          </section>
        );
      })}
      {count > 0 && <Text size="sm">{t("changeRequests.moreChanges", { count })}</Text>}
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
