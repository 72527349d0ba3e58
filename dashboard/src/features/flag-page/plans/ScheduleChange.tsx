import type { Environment, RequestOperation } from "../../../shared/api/types.ts";
import { useMutation, useQuery } from "@tanstack/react-query";
import { api } from "../../../shared/api/client.ts";
import { dataOf } from "../../../shared/api/response.ts";
import { useShowRequest } from "../../../shared/change-requests/use-change-or-propose.ts";
import { useTranslation } from "../../../shared/i18n/use-translation.ts";
import { scheduleQuery } from "../../../shared/schedule/queries.ts";
import { type Schedule, ScheduleForm } from "../../../shared/schedule/ScheduleForm.tsx";
import { FormModal } from "../../../shared/ui/FormModal.tsx";
import { Loading } from "../../../shared/ui/QueryView.tsx";

interface Props {
  projectId: number;
  environment: Environment;
  operation: RequestOperation;
  onCancel: () => void;
  onScheduled: () => void;
}

/** A dialog that opens a change request with a time, at which the service applies it. */
export function ScheduleChange(props: Props) {
  const { projectId, environment, operation, onCancel, onScheduled } = props;
  const { t } = useTranslation();
  const showRequest = useShowRequest();
  // The form offers the earlier requests. It waits for them, so that its buttons do not move.
  const { isPending: waits } = useQuery(scheduleQuery({ projectId }));
  const { mutate, isPending, error } = useMutation({
    mutationFn: (entered: Schedule & { title: string; reviewers: number[] }) => {
      const body = { projectId, operations: [operation], ...entered };
      return dataOf(api.POST("/api/v1/change-requests", { body }));
    },
    onSuccess: (request) => {
      onScheduled();
      showRequest(t("schedule.done"), request);
    },
  });
  return (
    <FormModal
      title={t("schedule.title", { environment: environment.name })}
      opened
      onClose={onCancel}
      isConfirmation
    >
      {waits ? (
        <Loading />
      ) : (
        <ScheduleForm
          text={t("schedule.text")}
          submit={t("schedule.submit")}
          newIn={{ projectId, environmentIds: [environment.id] }}
          pending={isPending}
          error={error}
          onCancel={onCancel}
          onSchedule={(schedule, title, reviewers) => mutate({ ...schedule, title, reviewers })}
        />
      )}
    </FormModal>
  );
}
