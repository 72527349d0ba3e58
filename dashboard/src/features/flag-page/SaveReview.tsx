import { Button, Checkbox, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { Environment, Strategy } from "../../shared/api/types.ts";
import { ReviewersInput } from "../../shared/change-requests/ReviewersInput.tsx";
import { ProductionStrip } from "../../shared/environments/ProductionStrip.tsx";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { FormModal } from "../../shared/ui/FormModal.tsx";
import type { SegmentsById } from "../../shared/strategy/segments-by-id.ts";
import { ReasonInput } from "../../shared/ui/ReasonInput.tsx";
import { Diff } from "../../shared/history/FieldChanges.tsx";
import { itemNames, withNames } from "../../shared/history/item-names.ts";
import { differingFields } from "../../shared/strategy/fields.tsx";
import type { StrategySettings } from "../../shared/strategy/settings.ts";
import type { StrategyDraft } from "./strategy.ts";
import { MovesLine } from "./MovesLine.tsx";
import { DialogFooter } from "../../shared/ui/DialogFooter.tsx";
import type { Sending } from "./ways-to-save.ts";

interface Props {
  how: Sending;
  projectId: number;
  environment: Environment;
  /** The saved strategy. */
  strategy: Strategy;
  values: StrategyDraft;
  segments: SegmentsById;
  onCancel: () => void;
  onSave: (answer: Answer) => void;
}

/** What the user has entered in the dialog. */
export interface Answer {
  readonly reason: string;
  /** Whether the flag is also turned on. */
  readonly turnsOn: boolean;
  /** Whom a proposal asks to review it. */
  readonly reviewers: readonly number[];
}

const TEXTS = {
  save: {
    title: "flag.reviewTitle",
    text: undefined,
    submit: "flag.saveTo",
  },
  propose: {
    title: "flags.proposeTitle",
    text: "flags.proposeText",
    submit: "flags.propose",
  },
  bypass: {
    title: "flags.bypassTitle",
    text: "flags.bypassText",
    submit: "changeRequests.bypass",
  },
} as const;

/**
 * Shows the changes before they are saved or proposed. A proposal and a bypass need a reason. If the flag is off, the
 * same confirmation can turn it on.
 */
export function SaveReview(props: Props) {
  const { how, strategy, values, segments, onCancel, onSave } = props;
  const { t } = useTranslation();
  const { name: environment, production } = props.environment;
  const { title, text, submit } = TEXTS[how];
  const needsReason = how !== "save";
  const [reason, setReason] = useState("");
  const [turnsOn, setTurnsOn] = useState(false);
  const [reviewers, setReviewers] = useState<readonly number[]>([]);
  const change = turnsOn ? { ...values, enabled: true } : values;
  const saved = { ...strategy, ...change };
  const names = withNames(itemNames(), "segment", [...segments.values()]);
  return (
    <FormModal title={t(title, { environment })} opened onClose={onCancel} size="lg" isConfirmation>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onSave({ reason, turnsOn, reviewers });
        }}
      >
        <Stack>
          {production && how !== "propose" && <ProductionStrip environment={environment} />}
          {text && <Text size="sm">{t(text, { environment })}</Text>}
          <section aria-label={t("flag.changes")}>
            <Diff record={changedContent(strategy, saved)} names={names} />
          </section>
          <MovesLine strategy={strategy} values={change} canSave segments={segments} />
          {!strategy.enabled && (
            <Checkbox
              label={t("flagPage.alsoTurnOn", { environment })}
              description={t("flagPage.alsoTurnOnHint")}
              checked={turnsOn}
              onChange={({ currentTarget }) => setTurnsOn(currentTarget.checked)}
            />
          )}
          <ReasonInput
            value={reason}
            onChange={setReason}
            isRequired={needsReason}
            takesFocus={needsReason}
          />
          {how === "propose" && (
            <ReviewersInput
              of={{ projectId: props.projectId, environmentIds: [props.environment.id] }}
              onChange={setReviewers}
            />
          )}
          <DialogFooter>
            <Button variant="default" onClick={onCancel}>
              {t("common.cancel")}
            </Button>
            <Button
              type="submit"
              color={how === "bypass" ? "red" : "blue"}
              disabled={needsReason && reason.trim() === ""}
              data-autofocus={!needsReason || undefined}
            >
              {t(submit, { environment })}
            </Button>
          </DialogFooter>
        </Stack>
      </form>
    </FormModal>
  );
}

/** Returns the fields in which two strategies differ, as an audit record has them. */
function changedContent(before: StrategySettings, after: StrategySettings) {
  const fields = differingFields(before, after);
  const pick = (strategy: StrategySettings) =>
    Object.fromEntries(fields.map((field) => [field, strategy[field]]));
  return { before: pick(before), after: pick(after) };
}
