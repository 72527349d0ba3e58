import { Button, Checkbox, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { ProductionChip } from "../../shared/environments/EnvironmentChip.tsx";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { FormModal } from "../../shared/ui/FormModal.tsx";
import type { SegmentsById } from "../../shared/strategy/segments-by-id.ts";
import { ReasonInput } from "../../shared/ui/ReasonInput.tsx";
import { StrategyTable } from "./StrategyTable.tsx";
import type { StrategySettings } from "../../shared/strategy/settings.ts";
import { differingFields } from "../../shared/strategy/fields.tsx";

interface Props {
  environment: string;
  before: StrategySettings;
  after: StrategySettings;
  segments: SegmentsById;
  /** A sentence about the users who get another value. Undefined while that is unknown. */
  moves: string | undefined;
  onCancel: () => void;
  onSave: (reason: string, turnsOn: boolean) => void;
}

/** If the flag is off, the same confirmation can turn it on. */
export function SaveReview(props: Props) {
  const { environment, before, after, segments, moves, onCancel, onSave } = props;
  const { t } = useTranslation();
  const [reason, setReason] = useState("");
  const [turnsOn, setTurnsOn] = useState(false);
  const saved = turnsOn ? { ...after, enabled: true } : after;
  return (
    <FormModal title={t("flag.reviewTitle", { environment })} opened onClose={onCancel} size="lg">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          // The dialog is a React child of the strategy form, so the submit event would otherwise
          // bubble up and also submit the strategy form.
          event.stopPropagation();
          onSave(reason, turnsOn);
        }}
      >
        <Stack>
          <ProductionChip name={environment} />
          <Text size="sm">{t("flag.reviewConsequence")}</Text>
          <StrategyTable
            caption={t("flag.changes")}
            left={{ title: t("flag.now"), strategy: before }}
            right={{ title: t("flag.afterSaving"), strategy: saved }}
            segments={segments}
            fields={differingFields(before, saved)}
          />
          {moves !== undefined && (
            <Text size="sm" fw={600}>
              {moves}
            </Text>
          )}
          {!before.enabled && (
            <Checkbox
              label={t("flagPage.alsoTurnOn", { environment })}
              description={t("flagPage.alsoTurnOnHint")}
              checked={turnsOn}
              onChange={({ currentTarget }) => setTurnsOn(currentTarget.checked)}
            />
          )}
          <ReasonInput value={reason} onChange={setReason} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onCancel}>
              {t("common.cancel")}
            </Button>
            <Button type="submit" data-autofocus>
              {t("flag.saveTo", { environment })}
            </Button>
          </Group>
        </Stack>
      </form>
    </FormModal>
  );
}
