import { Alert, Button, Stack, Text, Textarea } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { hasStatus } from "../../shared/api/api-error.ts";
import { ErrorAlert } from "../../shared/ui/ErrorAlert.tsx";
import { reasonHeader } from "../../shared/api/change-reason.ts";
import { api } from "../../shared/api/client.ts";
import { dataOf, etag } from "../../shared/api/response.ts";
import { rewordError } from "../../shared/api/reword-error.ts";
import type { ChangeRequest, Schemas } from "../../shared/api/types.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { useCan, useCurrentSession } from "../../shared/session/current-session.tsx";
import { ScheduleForm } from "../../shared/schedule/ScheduleForm.tsx";
import { FormActions } from "../../shared/ui/FormActions.tsx";
import { FormModal } from "../../shared/ui/FormModal.tsx";
import { useQuestion } from "../../shared/ui/use-confirm.tsx";
import { useNotify } from "../../shared/ui/use-notify.tsx";
import classes from "./ChangeRequestPage.module.css";
import { MAX_COMMENT } from "./Conversation.tsx";
import { changeRequestQuery } from "../../shared/change-requests/queries.ts";
import { type Choice, conflictsOf, RebaseForm } from "./RebaseForm.tsx";

type Verdict = Schemas["ReviewChangeRequest"]["verdict"];

const VERDICTS = [
  { verdict: "approve", key: "a", color: "green" },
  { verdict: "reject", key: "x", color: "red" },
] as const satisfies { verdict: Verdict; key: string; color: string }[];

/** The buttons of an open request, and the last error. Renders nothing without buttons. */
export function RequestActions({ request }: { request: ChangeRequest }) {
  const { t } = useTranslation();
  const may = useAllowed(request);
  const ask = useQuestion();
  const act = useAct(request);
  const [verdict, setVerdict] = useState<Verdict>();
  const [isScheduling, setIsScheduling] = useState(false);
  const { title } = request;
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
    if (confirmed) act.mutate({ kind: "close", done: t("changeRequests.closed") });
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
    if (confirmed) act.mutate({ kind: "apply", bypassReason, done: t("changeRequests.applied") });
  }

  function unschedule() {
    const schedule = { applyAt: null, timeZone: null };
    act.mutate({ kind: "schedule", schedule, done: t("schedule.removed") });
  }

  function rebase(choices: readonly Choice[]) {
    act.mutate({ kind: "rebase", choices, done: t("changeRequests.rebased") });
  }

  return (
    <>
      {(buttons.length > 0 || act.error) && (
        <div role="group" aria-label={t("changeRequests.actions")} className={classes.bar}>
          {hasStatus(act.error, 412) ? (
            <Alert color="yellow" role="alert">
              {t("changeRequests.changed")}
            </Alert>
          ) : (
            act.error && conflicts.length === 0 && <ErrorAlert error={act.error} />
          )}
          <div className={classes.buttons}>{buttons}</div>
        </div>
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
              act.mutate({ kind: "review", verdict, comment, done });
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
            act.mutate({ kind: "schedule", schedule, done: t("schedule.changed") });
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

/** What the signed-in user may do with a request as it is now. */
function useAllowed(request: ChangeRequest) {
  const { state, status, author, reviews, applyAt, mayReview, mayBypass } = request;
  const { id } = useCurrentSession().user;
  const mayWrite = useCan("change-request:write");
  const isAdministrator = useCan("protection:bypass");
  const isOpen = state === "open";
  const isAuthor = author.kind === "user" && author.id === id;
  const reviewable = mayReview && status !== "blocked";
  const given = reviews.find(({ userId, counts }) => userId === id && counts)?.verdict;
  return {
    // After the rebase, an earlier approval would not count.
    approve: reviewable && status !== "outdated" && given !== "approve",
    reject: reviewable && given !== "reject",
    apply: mayWrite && status === "approved",
    bypass: mayBypass && (status === "needs-approval" || status === "rejected"),
    rebase: mayWrite && status === "outdated",
    schedule: isOpen && mayWrite,
    unschedule: isOpen && mayWrite && applyAt !== null,
    close: isOpen && mayWrite && (isAuthor || isAdministrator),
  };
}

type ChangedSchedule = Pick<Schemas["UpdateChangeRequest"], "applyAt" | "timeZone">;

type Action = { readonly done: string } & (
  | { readonly kind: "review"; readonly verdict: Verdict; readonly comment: string }
  | { readonly kind: "apply"; readonly bypassReason: string | undefined }
  | { readonly kind: "rebase"; readonly choices: readonly Choice[] }
  | { readonly kind: "schedule"; readonly schedule: ChangedSchedule }
  | { readonly kind: "close" }
);

/** After an error, the request is loaded again, because others may have changed it. */
function useAct({ id, hash }: ChangeRequest) {
  const { t } = useTranslation();
  const notify = useNotify();
  const client = useQueryClient();
  const { queryKey } = changeRequestQuery(id);
  const params = { path: { id }, header: { "If-Match": etag(hash) } };

  const send = (action: Action) => {
    switch (action.kind) {
      case "review": {
        const { verdict, comment } = action;
        const body = { verdict, comment: comment.trim() === "" ? null : comment };
        return rewordError(
          dataOf(api.POST("/api/v1/change-requests/{id}/reviews", { params, body })),
          {
            codes: { FORBIDDEN: t("changeRequests.ownRequest") },
          },
        );
      }
      case "apply": {
        const header = {
          ...params.header,
          ...(action.bypassReason !== undefined && {
            "X-Approval-Bypass": "true" as const,
            ...reasonHeader(action.bypassReason),
          }),
        };
        return dataOf(
          api.POST("/api/v1/change-requests/{id}/apply", { params: { ...params, header } }),
        );
      }
      case "schedule":
        return dataOf(api.PUT("/api/v1/change-requests/{id}", { params, body: action.schedule }));
      case "rebase":
        return dataOf(
          api.POST("/api/v1/change-requests/{id}/rebase", {
            params,
            body: { choices: [...action.choices] },
          }),
        );
      default:
        return dataOf(api.POST("/api/v1/change-requests/{id}/close", { params: { path: { id } } }));
    }
  };

  return useMutation({
    mutationFn: send,
    onSuccess: (request, { done }) => {
      client.setQueryData(queryKey, request);
      notify.done(done);
    },
    onError: () => client.invalidateQueries({ queryKey }),
  });
}

interface ReviewProps {
  verdict: Verdict;
  onCancel: () => void;
  onReview: (comment: string) => void;
}

function ReviewForm({ verdict, onCancel, onReview }: ReviewProps) {
  const { t } = useTranslation();
  const [comment, setComment] = useState("");
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onReview(comment);
      }}
    >
      <Stack>
        <Text size="sm">{t(`changeRequests.${verdict}Text`)}</Text>
        <Textarea
          label={`${t("changeRequests.comment")} (${t("common.optional")})`}
          value={comment}
          onChange={({ currentTarget }) => setComment(currentTarget.value)}
          maxLength={MAX_COMMENT}
          autosize
          minRows={2}
          maxRows={8}
          data-autofocus
        />
        <FormActions
          onCancel={onCancel}
          pending={false}
          submit={t(`changeRequests.${verdict}`)}
          color={verdict === "approve" ? "green" : "red"}
        />
      </Stack>
    </form>
  );
}
