import { Text, TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import { Trans } from "react-i18next";
import { useServerForm } from "../use-server-form.ts";
import { FormActions } from "./FormActions.tsx";
import { FormModal } from "./FormModal.tsx";
import { ServerForm } from "./ServerForm.tsx";

interface Props {
  opened: boolean;
  onClose: () => void;
  title: string;
  /** What is deleted, and has to be typed. */
  name: string;
  /** What goes with it. */
  children: ReactNode;
  /** The words on the button: what it does. */
  confirm: string;
  onConfirm: () => Promise<unknown>;
}

/** Asks for the name of what is deleted, since much goes with it. */
export function TypeToConfirmModal({ opened, onClose, title, ...question }: Props) {
  return (
    <FormModal title={title} opened={opened} onClose={onClose}>
      <Question onClose={onClose} {...question} />
    </FormModal>
  );
}

function Question({
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
