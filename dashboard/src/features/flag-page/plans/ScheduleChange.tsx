import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { api } from "../../../shared/api/client.ts";
import { dataOf } from "../../../shared/api/response.ts";
import type { RequestOperation } from "../../../shared/change-requests/use-change-or-propose.ts";
import { useTranslation } from "../../../shared/i18n/use-translation.ts";
import { type Schedule, ScheduleForm } from "../../../shared/schedule/ScheduleForm.tsx";
import { FormModal } from "../../../shared/ui/FormModal.tsx";
import { useNotify } from "../../../shared/ui/use-notify.tsx";

interface Props {
  projectId: number;
  environment: string;
  operation: RequestOperation;
  onCancel: () => void;
  onScheduled: () => void;
}

/** A dialog that opens a change request with a time, at which the service applies it. */
export function ScheduleChange(props: Props) {
  const { projectId, environment, operation, onCancel, onScheduled } = props;
  const { t } = useTranslation();
  const notify = useNotify();
  const navigate = useNavigate();
  const { mutate, isPending, error } = useMutation({
    mutationFn: ({ title, ...schedule }: Schedule & { title: string }) => {
      const body = { projectId, title, operations: [operation], ...schedule };
      return dataOf(api.POST("/api/v1/change-requests", { body }));
    },
    onSuccess: ({ id }) => {
      onScheduled();
      notify.showable(t("schedule.done"), t("flags.showProposal"), () => {
        void navigate({
          to: "/projects/$projectId/change-requests/$requestId",
          params: { projectId, requestId: id },
        });
      });
    },
  });
  return (
    <FormModal
      title={t("schedule.title", { environment })}
      opened
      onClose={onCancel}
      isConfirmation
    >
      <ScheduleForm
        text={t("schedule.text")}
        submit={t("schedule.submit")}
        asksReason
        pending={isPending}
        error={error}
        onCancel={onCancel}
        onSchedule={(schedule, title) => mutate({ ...schedule, title })}
      />
    </FormModal>
  );
}
