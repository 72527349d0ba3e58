import { Text, TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import { Trans } from "../i18n/Trans.tsx";
import { useServerForm } from "../use-server-form.ts";
import { FormActions } from "./FormActions.tsx";
import { FormModal } from "./FormModal.tsx";
import { ServerForm } from "./ServerForm.tsx";

interface Props {
  opened: boolean;
  onClose: () => void;
  title: string;
  /** The text that the user must type: the name or the key of the item to delete. */
  name: string;
  /** A text that explains the consequences of the deletion. */
  children: ReactNode;
  confirm: string;
  onConfirm: () => Promise<unknown>;
}

/** `onConfirm` deletes. If it fails, the modal stays open and displays the error. */
export function TypeToConfirmModal({ opened, onClose, title, ...rest }: Props) {
  return (
    <FormModal title={title} opened={opened} onClose={onClose} isConfirmation>
      <ConfirmForm onClose={onClose} {...rest} />
    </FormModal>
  );
}

function ConfirmForm({
  name,
  children,
  confirm,
  onConfirm,
  onClose,
}: Omit<Props, "opened" | "title">) {
  const { form, pending, error, onSubmit } = useServerForm({
    form: { initialValues: { typed: "" } },
    submit: async () => {
      await onConfirm();
      onClose();
    },
  });
  return (
    <ServerForm onSubmit={onSubmit} pending={pending} error={error}>
      <Text size="sm" component="div">
        {children}
      </Text>
      <TextInput
        label={
          <Trans i18nKey="projects.typeName" values={{ name }} components={{ name: <strong /> }} />
        }
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        {...form.getInputProps("typed")}
      />
      <FormActions
        onCancel={onClose}
        pending={pending}
        submit={confirm}
        color="red"
        disabled={form.values.typed.trim() !== name}
      />
    </ServerForm>
  );
}
