import { useEffect, useRef, useState } from "react";
import type { Flag, Strategy } from "../../shared/api/types.ts";
import { useIsProduction } from "../../shared/data/environments.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { ErrorAlert } from "../../shared/ui/ErrorAlert.tsx";
import { useNotify } from "../../shared/ui/use-notify.tsx";
import type { SegmentsById } from "../../shared/strategy/segments-by-id.ts";
import { ConflictNotice } from "./ConflictNotice.tsx";
import { RulesEditor } from "./RulesEditor.tsx";
import { SaveActions, SaveBar } from "./SaveBar.tsx";
import { ScheduleChange } from "./plans/ScheduleChange.tsx";
import { SaveReview } from "./SaveReview.tsx";
import {
  areAllAtInputs,
  constraintErrors,
  hasErrors,
  NO_ERRORS,
  type StrategyErrors,
  strategyErrors,
  withoutChanged,
} from "./strategy-errors.ts";
import { strategyOperation } from "./strategy-request.ts";
import { contentOf, type StrategyDraft } from "./strategy.ts";
import classes from "./StrategyForm.module.css";
import type { useDraft } from "./use-draft.ts";
import { useMovesTextAfterPause } from "./use-moves-text.ts";
import { isVersionConflict, useSaveStrategy } from "./use-save-strategy.ts";
import { useStrategySentence } from "../../shared/strategy/use-rule-words.ts";

interface Props {
  flag: Flag;
  /** The saved strategy, without the unsaved changes of the user. */
  strategy: Strategy;
  draft: ReturnType<typeof useDraft>;
  segments: SegmentsById;
}

/** Changes take effect when the user saves the form. */
export function StrategyForm({ flag, strategy, draft, segments }: Props) {
  const { t } = useTranslation();
  const describe = useStrategySentence(segments);
  const notify = useNotify();
  const form = useRef<HTMLFormElement>(null);
  const isChecking = useRef(false);
  const [fieldErrors, setFieldErrors] = useState<StrategyErrors>(NO_ERRORS);
  const [rejections, setRejections] = useState(0);
  const [reason, setReason] = useState("");
  const [isReviewed, setIsReviewed] = useState(false);
  const [isScheduling, setIsScheduling] = useState(false);
  const { save: saveStrategy, isPending, error, reset } = useSaveStrategy(flag.projectId);
  const environment = strategy.environmentName;
  const asksFirst = useIsProduction(flag.projectId)(strategy.environmentId);
  const isConflict = isVersionConflict(error);
  const hasToChoose = draft.isDirty && !isPending && (draft.isOutdated || isConflict);
  const canSave = draft.isDirty && !isPending && !hasToChoose;
  const moves = useMovesTextAfterPause({ strategy, values: draft.values, canSave });
  const rejected = strategyErrors(error, draft.values.rules);
  const isShownAtField = hasErrors(rejected) && areAllAtInputs(rejected);

  useEffect(() => {
    if (rejections > 0) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [rejections]);

  const change = (changed: Partial<StrategyDraft>) => {
    draft.change(changed);
    setFieldErrors((known) => withoutChanged(known, draft.values, changed));
  };

  const showErrors = (found: StrategyErrors) => {
    setFieldErrors(found);
    setRejections((count) => count + 1);
  };

  const save = async (sent: StrategyDraft, why: string, turnsOn = false) => {
    setIsReviewed(false);
    const sentToApi = turnsOn ? { ...sent, enabled: true } : sent;
    try {
      const saved = await saveStrategy({ strategy, change: sentToApi, reason: why });
      if (!saved) return discard();
      draft.afterSave(sent, contentOf(saved));
      setFieldErrors(NO_ERRORS);
      setReason("");
      notify.done(t("flag.savedIn", { environment }));
    } catch (thrown) {
      showErrors(strategyErrors(thrown, sent.rules));
    }
  };

  const submit = async (values: StrategyDraft) => {
    if (!draft.isDirty || isPending || isChecking.current) return;
    isChecking.current = true;
    const found = await constraintErrors(t, values);
    isChecking.current = false;
    if (hasErrors(found)) showErrors(found);
    else if (asksFirst) setIsReviewed(true);
    else await save(values, reason);
  };

  const schedule = async () => {
    const found = await constraintErrors(t, draft.values);
    if (hasErrors(found)) showErrors(found);
    else setIsScheduling(true);
  };

  const discard = () => {
    draft.discard();
    setFieldErrors(NO_ERRORS);
    reset();
  };

  const keep = () => {
    reset();
    void submit(draft.rebase());
  };

  return (
    <form
      ref={form}
      className={classes.form}
      aria-busy={isPending}
      onSubmit={(event) => {
        event.preventDefault();
        // Ignore a submit event, such as from the Enter key, while the user has to choose between
        // the saved strategy and the unsaved changes.
        if (!hasToChoose) void submit(draft.values);
      }}
    >
      <RulesEditor
        flag={flag}
        segments={segments}
        values={draft.values}
        onChange={change}
        errors={fieldErrors}
      />
      {draft.isDirty && (
        <SaveBar>
          {error && !isConflict && !isShownAtField && <ErrorAlert error={error} />}
          {hasToChoose ? (
            <ConflictNotice
              strategy={strategy}
              saved={describe(strategy)}
              onLoad={discard}
              onKeep={keep}
            />
          ) : (
            <SaveActions
              moves={moves}
              isPending={isPending}
              onDiscard={discard}
              onSchedule={() => void schedule()}
              reason={asksFirst ? undefined : { value: reason, onChange: setReason }}
            />
          )}
        </SaveBar>
      )}
      {isScheduling && (
        <ScheduleChange
          projectId={flag.projectId}
          environment={environment}
          operation={strategyOperation({ strategy, change: draft.values })}
          onCancel={() => setIsScheduling(false)}
          onScheduled={() => {
            setIsScheduling(false);
            discard();
          }}
        />
      )}
      {isReviewed && (
        <SaveReview
          environment={environment}
          strategy={strategy}
          values={draft.values}
          segments={segments}
          onCancel={() => setIsReviewed(false)}
          onSave={(why, turnsOn) => void save(draft.values, why, turnsOn)}
        />
      )}
    </form>
  );
}
