import { Button, Checkbox, Stack } from "@mantine/core";
import { useState } from "react";
import type { Strategy } from "../../shared/api/types.ts";
import { ProductionStrip } from "../../shared/environments/ProductionStrip.tsx";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { FormModal } from "../../shared/ui/FormModal.tsx";
import type { SegmentsById } from "../../shared/strategy/segments-by-id.ts";
import { ReasonInput } from "../../shared/ui/ReasonInput.tsx";
import { StrategyTable } from "./StrategyTable.tsx";
import { differingFields } from "../../shared/strategy/fields.tsx";
import type { StrategyDraft } from "./strategy.ts";
import { MovesLine } from "./MovesLine.tsx";
import { DialogFooter } from "../../shared/ui/DialogFooter.tsx";

interface Props {
  environment: string;
  /** The saved strategy. */
  strategy: Strategy;
  values: StrategyDraft;
  segments: SegmentsById;
  onCancel: () => void;
  onSave: (reason: string, turnsOn: boolean) => void;
}

/** If the flag is off, the same confirmation can turn it on. */
export function SaveReview(props: Props) {
  const { environment, strategy, values, segments, onCancel, onSave } = props;
  const { t } = useTranslation();
  const [reason, setReason] = useState("");
  const [turnsOn, setTurnsOn] = useState(false);
  const change = turnsOn ? { ...values, enabled: true } : values;
  const saved = { ...strategy, ...change };
  return (
    <FormModal
      title={t("flag.reviewTitle", { environment })}
      opened
      onClose={onCancel}
      size="lg"
      isConfirmation
    >
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
          <ProductionStrip environment={environment} />
          <StrategyTable
            caption={t("flag.changes")}
            left={{ title: t("flag.now"), strategy }}
            right={{ title: t("flag.afterSaving"), strategy: saved }}
            segments={segments}
            fields={differingFields(strategy, saved)}
          />
          <MovesLine strategy={strategy} values={change} canSave />
          {!strategy.enabled && (
            <Checkbox
              label={t("flagPage.alsoTurnOn", { environment })}
              description={t("flagPage.alsoTurnOnHint")}
              checked={turnsOn}
              onChange={({ currentTarget }) => setTurnsOn(currentTarget.checked)}
            />
          )}
          <ReasonInput value={reason} onChange={setReason} />
          <DialogFooter>
            <Button variant="default" onClick={onCancel}>
              {t("common.cancel")}
            </Button>
            <Button type="submit" data-autofocus>
              {t("flag.saveTo", { environment })}
            </Button>
          </DialogFooter>
        </Stack>
      </form>
    </FormModal>
  );
}
