import { Select, Stack, Text } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { canonicalJson } from "@feature-flags/file/json";
import { send } from "../api/request.ts";
import type { ChangeRequest, RequestOperation } from "../api/types.ts";
import { useTranslation } from "../i18n/use-translation.ts";
import { ErrorAlert } from "../ui/ErrorAlert.tsx";
import { FormActions } from "../ui/FormActions.tsx";
import { FormModal } from "../ui/FormModal.tsx";
import { QueryView } from "../ui/QueryView.tsx";
import { changeRequestQuery, openRequestsQuery } from "./queries.ts";
import { useShowRequest } from "./use-change-or-propose.ts";
import { withOperation } from "./with-operation.ts";

interface Props {
  projectId: number;
  operation: RequestOperation;
  onCancel: () => void;
  onAdded: () => void;
}

/** A dialog that adds a change to an open change request of the project. */
export function AddToRequest({ projectId, operation, onCancel, onAdded }: Props) {
  const { t } = useTranslation();
  const requests = useQuery(openRequestsQuery(projectId));
  return (
    <FormModal title={t("changeRequests.add.title")} opened onClose={onCancel} isConfirmation>
      <QueryView query={requests}>
        {({ items }) =>
          items.length === 0 ? (
            <Text size="sm">{t("changeRequests.add.none")}</Text>
          ) : (
            <AddForm
              titles={new Map(items.map(({ id, title }) => [id, title]))}
              operation={operation}
              onCancel={onCancel}
              onAdded={onAdded}
            />
          )
        }
      </QueryView>
    </FormModal>
  );
}

/** Whether a target of a request has another content than when the request was proposed. */
const hasChanged = ({ operations }: ChangeRequest): boolean =>
  operations.some(({ base, current }) => canonicalJson(base) !== canonicalJson(current));

interface FormProps extends Omit<Props, "projectId"> {
  /** The titles of the open change requests, by id. */
  titles: ReadonlyMap<number, string>;
}

function AddForm({ titles, operation, onCancel, onAdded }: FormProps) {
  const { t } = useTranslation();
  const showRequest = useShowRequest();
  const [chosen, setChosen] = useState(() => titles.keys().next().value ?? 0);
  const request = useQuery(changeRequestQuery(chosen));
  const { data } = request;
  const { mutate, isPending, error } = useMutation({
    mutationFn: ({ id, hash, ...rest }: ChangeRequest) =>
      send("put", "/api/v1/change-requests/{id}", {
        path: { id },
        ifMatch: hash,
        body: { operations: withOperation(rest, operation).operations },
      }),
    onSuccess: (edited) => {
      onAdded();
      showRequest(t("changeRequests.add.done"), edited);
    },
    onError: () => void request.refetch(),
  });
  // To change its operations would base them on the present state without a question.
  const isOutdated = data !== undefined && (data.status === "outdated" || hasChanged(data));
  return (
    <form
      aria-busy={isPending}
      onSubmit={(event) => {
        event.preventDefault();
        if (data && !isOutdated && !isPending) mutate(data);
      }}
    >
      <Stack>
        <Text size="sm">{t("changeRequests.add.text")}</Text>
        {(error ?? request.error) && <ErrorAlert error={error ?? request.error} />}
        <Select
          label={t("changeRequests.one")}
          data={Array.from(titles, ([id, title]) => ({ value: String(id), label: title }))}
          value={String(chosen)}
          onChange={(value) => value !== null && setChosen(Number(value))}
          allowDeselect={false}
          searchable
          data-autofocus
        />
        {isOutdated && (
          <Text size="sm" c="red" role="status">
            {t("changeRequests.add.outdated")}
          </Text>
        )}
        {data && !isOutdated && withOperation(data, operation).replaced && (
          <Text size="sm" fw={500} role="status">
            {t("changeRequests.add.replaces")}
          </Text>
        )}
        <FormActions
          onCancel={onCancel}
          pending={isPending}
          disabled={!data || isOutdated}
          submit={t("changeRequests.add.submit")}
        />
      </Stack>
    </form>
  );
}
