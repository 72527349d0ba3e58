import { Alert, Button, Stack, Text } from "@mantine/core";
import { IconArrowBackUp } from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { hasStatus } from "../api/api-error.ts";
import type { AuditRecord } from "../api/types.ts";
import { needsApproval, useChangeOrPropose } from "../change-requests/use-change-or-propose.ts";
import { useIsProduction } from "../data/environments.ts";
import { segmentsQuery } from "../data/project-lists.ts";
import { ProductionStrip } from "../environments/ProductionStrip.tsx";
import { useFormat } from "../i18n/use-format.ts";
import { useTranslation } from "../i18n/use-translation.ts";
import { useCan } from "../session/current-session.tsx";
import { ErrorAlert } from "../ui/ErrorAlert.tsx";
import { FormActions } from "../ui/FormActions.tsx";
import { FormModal } from "../ui/FormModal.tsx";
import { Loading } from "../ui/QueryView.tsx";
import { ReasonInput } from "../ui/ReasonInput.tsx";
import { useNotify } from "../ui/use-notify.tsx";
import { Diff } from "./FieldChanges.tsx";
import {
  proposeRevert,
  revert,
  type RevertKind,
  revertKindOf,
  revertPreviewQuery,
} from "./revert.ts";
import { type ItemNames, withNames } from "./item-names.ts";
import { useRecordText } from "./use-record-text.ts";

interface Props {
  record: AuditRecord;
  names: ItemNames;
}

/** Renders nothing if the record cannot be reverted, or the user may not revert it. */
export function RevertRecord({ record, names }: Props) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const text = useRecordText(names);
  const may = {
    flag: useCan("flag:write"),
    strategy: useCan("strategy:write"),
    segment: useCan("segment:write"),
  };
  const kind = revertKindOf(record);
  if (!kind || !may[kind]) return null;
  const what = text.change(record);
  return (
    <>
      <Button
        variant="subtle"
        color="gray"
        size="compact-sm"
        leftSection={<IconArrowBackUp size={16} stroke={1.75} aria-hidden />}
        aria-label={t("revert.openOf", { what })}
        onClick={() => setOpen(true)}
      >
        {t("revert.open")}
      </Button>
      <FormModal
        title={t("revert.title", { what })}
        opened={isOpen}
        onClose={() => setOpen(false)}
        size="lg"
        isConfirmation
      >
        <RevertForm record={record} names={names} kind={kind} onClose={() => setOpen(false)} />
      </FormModal>
    </>
  );
}

interface FormProps extends Props {
  kind: RevertKind;
  onClose: () => void;
}

function RevertForm({ record, names, kind, onClose }: FormProps) {
  const { t } = useTranslation();
  const { dateTime } = useFormat();
  const notify = useNotify();
  const navigate = useNavigate();
  const [reason, setReason] = useState("");
  const { projectId, environmentId } = record;
  const isProduction = useIsProduction(projectId ?? 0);
  const preview = useQuery(revertPreviewQuery(record));
  // The restored content may use other segments than the records of the page.
  const { data: segments = [] } = useQuery({
    ...segmentsQuery(projectId ?? 0),
    enabled: projectId !== null,
  });
  const { data } = preview;
  const changeOrPropose = useChangeOrPropose();
  const reverting = useMutation({
    mutationFn: (shown: NonNullable<typeof data>) =>
      changeOrPropose({
        projectId: projectId ?? 0,
        operations: (proposal) => proposeRevert(record, shown, proposal),
        reason,
        send: () => revert(record, { preview: shown, reason }),
      }),
    onSuccess: (reverted) => {
      onClose();
      if (!reverted) return;
      const { entityId } = reverted;
      notify.showable(t("revert.done"), t("revert.show"), () => {
        if (projectId !== null)
          void navigate({
            to: "/projects/$projectId/audit",
            params: { projectId },
            search: { type: record.entityType === "segment" ? "segment" : "flag", id: entityId },
          });
      });
    },
    onError: () => void preview.refetch(),
  });
  const environment = environmentId === null ? undefined : names.of("environment", environmentId);
  const inProduction = environmentId !== null && isProduction(environmentId);
  const isDifferent = data !== undefined && Object.keys(data.after).length > 0;
  const submit =
    environment === undefined ? t("revert.submit") : t("revert.submitIn", { environment });
  return (
    <form
      aria-busy={reverting.isPending}
      onSubmit={(event) => {
        event.preventDefault();
        if (isDifferent && !reverting.isPending) reverting.mutate(data);
      }}
    >
      <Stack>
        {inProduction && <ProductionStrip environment={environment ?? ""} />}
        {hasStatus(reverting.error, 412) ? (
          <Alert color="yellow" role="alert">
            {t("revert.changed")}
          </Alert>
        ) : (
          reverting.error &&
          !needsApproval(reverting.error) && <ErrorAlert error={reverting.error} />
        )}
        <Text size="sm">{explanation()}</Text>
        {preview.isError ? (
          <ErrorAlert error={preview.error} />
        ) : data === undefined ? (
          <Loading />
        ) : isDifferent ? (
          <section aria-label={t("revert.difference")}>
            <Diff record={data} names={withNames(names, "segment", segments)} />
          </section>
        ) : (
          <Text size="sm" role="status">
            {t("revert.same")}
          </Text>
        )}
        <ReasonInput value={reason} onChange={setReason} takesFocus />
        <FormActions
          onCancel={onClose}
          pending={reverting.isPending}
          disabled={!isDifferent || preview.isError}
          submit={submit}
        />
      </Stack>
    </form>
  );

  function explanation(): string {
    const at = dateTime(record.at);
    if (record.action === "flag.deleted") return t("revert.flagAgain");
    if (record.action === "segment.deleted") return t("revert.segmentAgain");
    if (kind === "strategy") return t("revert.strategy", { at, environment: environment ?? "" });
    if (record.action !== "flag.updated" && kind === "flag") return t("revert.archived", { at });
    return t(kind === "flag" ? "revert.flag" : "revert.segment", { at });
  }
}
