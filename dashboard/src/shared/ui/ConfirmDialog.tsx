import { Button, Stack, Text } from "@mantine/core";
import type { ContextModalProps } from "@mantine/modals";
import { useState } from "react";
import { ProductionStrip } from "../environments/ProductionStrip.tsx";
import { useTranslation } from "../i18n/use-translation.ts";
import { DialogFooter } from "./DialogFooter.tsx";
import { ReasonInput } from "./ReasonInput.tsx";
import type { Confirmation, Question } from "./use-confirm.tsx";

interface Props {
  question: Question;
  onConfirm: (answer: Confirmation) => void;
}

/** The content of the confirmation dialogs that `useQuestion` opens. */
export function ConfirmDialog({ context, id, innerProps }: ContextModalProps<Props>) {
  const { question, onConfirm } = innerProps;
  const { production, children, confirm, isDangerous = false, asksReason = false } = question;
  const { t } = useTranslation();
  const [reason, setReason] = useState(question.reason ?? "");
  const isRequired = asksReason === "required";
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onConfirm({ reason });
        context.closeModal(id);
      }}
    >
      <Stack>
        {production !== undefined && <ProductionStrip environment={production} />}
        <Text size="sm" component="div">
          {children}
        </Text>
        {asksReason && (
          <ReasonInput
            value={reason}
            onChange={setReason}
            isRequired={isRequired}
            takesFocus={isRequired}
          />
        )}
        <DialogFooter>
          <Button variant="default" onClick={() => context.closeModal(id)}>
            {t("common.cancel")}
          </Button>
          <Button
            type="submit"
            color={isDangerous ? "red" : "blue"}
            disabled={isRequired && reason.trim() === ""}
            data-autofocus={!isRequired || undefined}
          >
            {confirm}
          </Button>
        </DialogFooter>
      </Stack>
    </form>
  );
}
