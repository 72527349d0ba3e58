import { Button, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { FormModal } from "../../shared/ui/FormModal.tsx";
import type { SegmentsById } from "./segments-by-id.ts";
import { ReasonInput } from "../../shared/ui/ReasonInput.tsx";
import { StrategyTable } from "./StrategyTable.tsx";
import type { StrategySettings } from "../../shared/strategy/settings.ts";
import { differingFields } from "./strategy.ts";

interface Props {
  environment: string;
  before: StrategySettings;
  after: StrategySettings;
  segments: SegmentsById;
  /** A sentence about the users who get another value. Undefined while that is unknown. */
  moves: string | undefined;
  onCancel: () => void;
  onSave: (reason: string) => void;
}

/**
 * A dialog that asks for confirmation before a strategy in production is changed. Shows the changed
 * strategy fields before and after the change.
 */
export function SaveReview(props: Props) {
  const { environment, before, after, segments, moves, onCancel, onSave } = props;
  const { t } = useTranslation();
  const [reason, setReason] = useState("");
  return (
    <FormModal title={t("flag.reviewTitle", { environment })} opened onClose={onCancel} size="lg">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          // The dialog is a React child of the strategy form, so the submit event would otherwise
          // bubble up and also submit the strategy form.
          event.stopPropagation();
          onSave(reason);
        }}
      >
        <Stack>
          <Text size="sm">{t("flag.reviewConsequence")}</Text>
          <StrategyTable
            caption={t("flag.changes")}
            left={{ title: t("flag.now"), strategy: before }}
            right={{ title: t("flag.afterSaving"), strategy: after }}
            segments={segments}
            fields={differingFields(before, after)}
          />
          {moves !== undefined && (
            <Text size="sm" fw={600}>
              {moves}
            </Text>
          )}
          <ReasonInput value={reason} onChange={setReason} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onCancel}>
              {t("common.cancel")}
            </Button>
            <Button type="submit">{t("flag.saveTo", { environment })}</Button>
          </Group>
        </Stack>
      </form>
    </FormModal>
  );
}
