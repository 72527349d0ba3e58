import { Alert, Autocomplete, Button, Select, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { tagsQuery } from "../../../shared/data/project-lists.ts";
import { useProjectId } from "../../../shared/data/use-project-id.ts";
import { MAX_BULK_FLAGS } from "../../../shared/flags/max-bulk-flags.ts";
import { needsApproval } from "../../../shared/change-requests/use-change-or-propose.ts";
import { ProductionStrip } from "../../../shared/environments/ProductionStrip.tsx";
import { useTranslation } from "../../../shared/i18n/use-translation.ts";
import { FormModal } from "../../../shared/ui/FormModal.tsx";
import { ReasonInput } from "../../../shared/ui/ReasonInput.tsx";
import { ServerForm } from "../../../shared/ui/ServerForm.tsx";
import { useNotify } from "../../../shared/ui/use-notify.tsx";
import { useServerForm } from "../../../shared/use-server-form.ts";
import classes from "./BulkDialog.module.css";
import {
  type BulkAction,
  oppositeOf,
  type PlannedAction,
  useBulkChange,
  withTag,
} from "./bulk-actions.ts";
import type { SelectedFlag } from "./selection.ts";
import { DialogFooter } from "../../../shared/ui/DialogFooter.tsx";

export interface Planned {
  readonly action: PlannedAction;
  readonly flags: readonly SelectedFlag[];
}

interface Props {
  planned: Planned;
  opened: boolean;
  onClose: () => void;
  /** Called after the flags have changed. */
  onDone: () => void;
}

export function BulkDialog({ planned, opened, onClose, onDone }: Props) {
  const { titleOf } = useBulkTexts();
  return (
    <FormModal
      title={titleOf(planned.action, planned.flags.length)}
      opened={opened}
      onClose={onClose}
      isConfirmation
    >
      <BulkForm {...{ planned, onClose, onDone }} />
    </FormModal>
  );
}

function BulkForm({ planned: { action, flags }, onClose, onDone }: Omit<Props, "opened">) {
  const { t } = useTranslation();
  const projectId = useProjectId();
  const notify = useNotify();
  const change = useBulkChange();
  const { doneText, confirmOf } = useBulkTexts();
  const [reason, setReason] = useState("");
  const isTagging = action.kind === "tag" || action.kind === "untag";

  const perform = async (wanted: BulkAction) => {
    const flagIds = flags.map(({ id }) => id);
    const result = await change({ projectId, action: wanted, flagIds, reason });
    onClose();
    onDone();
    if (!result) return;
    const { changed, unchanged } = result;
    const message = doneText(wanted, changed.length, unchanged.length);
    if (changed.length === 0) notify.done(message);
    else notify.undoable(message, () => void undo(wanted, changed));
  };
  const undo = async (done: BulkAction, flagIds: readonly number[]) => {
    const opposite = oppositeOf(done);
    try {
      const result = await change({ projectId, action: opposite, flagIds });
      if (result) notify.done(doneText(opposite, result.changed.length, result.unchanged.length));
    } catch (error) {
      if (!needsApproval(error)) notify.failed(error);
    }
  };
  const { form, pending, error, onSubmit } = useServerForm({
    form: {
      initialValues: { tag: "" },
      validate: {
        tag: (tag) => (isTagging && tag.trim() === "" ? t("common.required") : null),
      },
    },
    submit: ({ tag }) => perform(withTag(action, tag.trim())),
  });

  const isDangerous = action.kind === "archive" || action.kind === "turnOff";
  return (
    <ServerForm onSubmit={onSubmit} pending={pending} error={error}>
      <Consequence action={action} />
      {isTagging && (
        <TagField
          kind={action.kind}
          value={form.values.tag}
          error={form.errors["tag"]}
          onChange={(tag) => form.setFieldValue("tag", tag)}
        />
      )}
      <FlagNames flags={flags} />
      <ReasonInput value={reason} onChange={setReason} />
      {flags.length > MAX_BULK_FLAGS && (
        <Alert color="red" role="alert">
          {t("bulk.tooMany", { count: MAX_BULK_FLAGS })}
        </Alert>
      )}
      <DialogFooter>
        <Button variant="default" onClick={onClose}>
          {t("common.cancel")}
        </Button>
        <Button
          type="submit"
          loading={pending}
          color={isDangerous ? "red" : "blue"}
          disabled={flags.length > MAX_BULK_FLAGS}
          {...(!isTagging && { "data-autofocus": true })}
        >
          {confirmOf(action, flags.length)}
        </Button>
      </DialogFooter>
    </ServerForm>
  );
}

function Consequence({ action }: Pick<Planned, "action">): ReactNode {
  const { t } = useTranslation();
  if (action.kind === "tag" || action.kind === "untag") return null;
  if (!("environment" in action))
    return <Text size="sm">{t(`bulk.consequence.${action.kind}`)}</Text>;
  const { name, production } = action.environment;
  return (
    <>
      {production && <ProductionStrip environment={name} />}
      <Text size="sm">{t(`bulk.consequence.${action.kind}`, { environment: name })}</Text>
    </>
  );
}

interface TagFieldProps {
  kind: "tag" | "untag";
  value: string;
  error: ReactNode;
  onChange: (tag: string) => void;
}

function TagField({ kind, value, error, onChange }: TagFieldProps) {
  const { t } = useTranslation();
  const { data: tags = [] } = useQuery(tagsQuery(useProjectId()));
  const names = tags.map(({ name }) => name);
  const field = { label: t("flags.tag"), error, required: true, "data-autofocus": true } as const;
  if (kind === "untag")
    return (
      <Select
        {...field}
        data={names}
        value={value === "" ? null : value}
        onChange={(chosen) => onChange(chosen ?? "")}
        searchable
        nothingFoundMessage={t("flagForms.nothingToChoose")}
      />
    );
  return (
    <Autocomplete
      {...field}
      description={t("bulk.tagHint")}
      data={names}
      value={value}
      onChange={onChange}
      maxLength={200}
      maxDropdownHeight={200}
    />
  );
}

const SHOWN = 8;

function FlagNames({ flags }: Pick<Planned, "flags">) {
  const { t } = useTranslation();
  const more = flags.length - SHOWN;
  return (
    <ul className={classes.names}>
      {flags.slice(0, SHOWN).map(({ id, name }) => (
        <li key={id}>{name}</li>
      ))}
      {more > 0 && <li className={classes.more}>{t("bulk.moreFlags", { count: more })}</li>}
    </ul>
  );
}

function useBulkTexts() {
  const { t } = useTranslation();
  const namesOf = (action: BulkAction | PlannedAction) => ({
    environment: "environment" in action ? action.environment.name : "",
    tag: "tag" in action ? action.tag : "",
  });
  return {
    titleOf: (action: PlannedAction, count: number) =>
      t(`bulk.title.${action.kind}`, { ...namesOf(action), count }),
    confirmOf: (action: PlannedAction, count: number) =>
      t(`bulk.confirm.${action.kind}`, { ...namesOf(action), count }),
    /**
     * Returns the text after an action: how many flags it has changed, and how many needed no
     * change.
     */
    doneText: (action: BulkAction, changed: number, unchanged: number) => {
      const done = t(`bulk.done.${action.kind}`, { ...namesOf(action), count: changed });
      return unchanged === 0 ? done : `${done} · ${t("bulk.unchanged", { count: unchanged })}`;
    },
  };
}
