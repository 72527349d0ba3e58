import { useEffect, useRef, useState } from "react";
import type { Environment, Flag, Strategy } from "../../shared/api/types.ts";
import { useIsProduction } from "../../shared/data/environments.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { ErrorAlert } from "../../shared/ui/ErrorAlert.tsx";
import { useNotify } from "../../shared/ui/use-notify.tsx";
import type { SegmentsById } from "../../shared/strategy/segments-by-id.ts";
import { ConflictNotice } from "./ConflictNotice.tsx";
import { withKnownIds } from "./draft-rules.ts";
import { ManagedFieldsContext, useManagedFields } from "./use-managed-fields.ts";
import { ManagedWarning } from "./Managed.tsx";
import { RulesEditor } from "./RulesEditor.tsx";
import { SaveActions, SaveBar } from "./SaveBar.tsx";
import type { Answer } from "./SaveReview.tsx";
import { SaveDialogs } from "./SaveDialogs.tsx";
import {
  areAllAtInputs,
  constraintErrors,
  hasErrors,
  NO_ERRORS,
  type StrategyErrors,
  strategyErrors,
  withoutChanged,
} from "./strategy-errors.ts";
import { changedFields, contentOf, type StrategyDraft } from "./strategy.ts";
import classes from "./StrategyForm.module.css";
import type { useDraft } from "./use-draft.ts";
import { useMovesTextAfterPause } from "./use-moves-text.ts";
import { isVersionConflict, useSaveStrategy } from "./use-save-strategy.ts";
import { changesOnlyPercentage, type Sending, useWaysToSave, type Way } from "./ways-to-save.ts";
import { useStrategySentence } from "../../shared/strategy/use-rule-words.ts";

interface Props {
  flag: Flag;
  environment: Environment;
  /** The saved strategy, without the unsaved changes of the user. */
  strategy: Strategy;
  draft: ReturnType<typeof useDraft>;
  segments: SegmentsById;
}

/** Changes take effect when the user saves the form. */
export function StrategyForm({ flag, environment, strategy, draft, segments }: Props) {
  const { t } = useTranslation();
  const describe = useStrategySentence(segments);
  const notify = useNotify();
  const form = useRef<HTMLFormElement>(null);
  const isChecking = useRef(false);
  const [fieldErrors, setFieldErrors] = useState<StrategyErrors>(NO_ERRORS);
  const [rejections, setRejections] = useState(0);
  const [reason, setReason] = useState("");
  const [way, setWay] = useState<Way>();
  const ways = useWaysToSave(environment);
  const { save: saveStrategy, isPending, error, reset } = useSaveStrategy(flag.projectId);
  const isProduction = useIsProduction(flag.projectId)(environment.id);
  const managed = useManagedFields(flag.id, environment.id);
  const changesManaged = changedFields(contentOf(strategy), draft.values)
    .filter((field) => managed.has(field))
    .map((field) => t(`strategy.${field}.label`));
  const asksFirst = isProduction || ways.usual === "propose";
  const isConflict = isVersionConflict(error);
  const hasToChoose = draft.isDirty && !isPending && (draft.isOutdated || isConflict);
  const canSave = draft.isDirty && !isPending && !hasToChoose;
  const moves = useMovesTextAfterPause({ strategy, values: draft.values, canSave, segments });
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

  const save = async (
    sent: StrategyDraft,
    how: Sending,
    { turnsOn, ...answer }: Answer = { reason, turnsOn: false, reviewers: [] },
  ) => {
    setWay(undefined);
    const sentToApi = turnsOn ? { ...sent, enabled: true } : sent;
    try {
      const saved = await saveStrategy({ strategy, change: sentToApi, ...answer }, how);
      if (!saved) return discard();
      draft.afterSave(sent, contentOf(saved));
      setFieldErrors(NO_ERRORS);
      setReason("");
      const done = t("flag.savedIn", { environment: environment.name });
      if (how === "save") notify.undoable(done, () => void undo(saved, turnsOn));
      else notify.done(done);
    } catch (thrown) {
      showErrors(strategyErrors(thrown, sent.rules));
    }
  };

  /** Saves what was there before a save. Fails if somebody has changed the strategy since. */
  const undo = async (saved: Strategy, turnedOn: boolean) => {
    const before = contentOf(strategy);
    const rules = withKnownIds(before.rules, contentOf(saved).rules);
    const undone = { ...before, rules, ...(turnedOn && { enabled: false }) };
    try {
      const restored = await saveStrategy({ strategy: saved, change: undone });
      if (restored) notify.done(t("flag.undone", { environment: environment.name }));
    } catch (thrown) {
      // The form shows only errors of what it saves itself.
      reset();
      notify.failed(thrown);
    }
  };

  const submit = async (values: StrategyDraft, chosen: Way = ways.usual) => {
    if (!draft.isDirty || isPending || isChecking.current) return;
    isChecking.current = true;
    const found = await constraintErrors(t, values);
    isChecking.current = false;
    if (hasErrors(found)) showErrors(found);
    else if (chosen === "save" && !asksFirst) await save(values, chosen);
    else setWay(chosen);
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
    <>
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
        <ManagedFieldsContext value={managed}>
          <RulesEditor
            flag={flag}
            segments={segments}
            values={draft.values}
            onChange={change}
            errors={fieldErrors}
          />
        </ManagedFieldsContext>
        {draft.isDirty && (
          <SaveBar>
            {error && !isConflict && !isShownAtField && <ErrorAlert error={error} />}
            <ManagedWarning fields={changesManaged} />
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
                ways={ways}
                canRamp={changesOnlyPercentage(contentOf(strategy), draft.values)}
                onChoose={(chosen) => void submit(draft.values, chosen)}
                reason={asksFirst ? undefined : { value: reason, onChange: setReason }}
              />
            )}
          </SaveBar>
        )}
      </form>
      <SaveDialogs
        way={way}
        flag={flag}
        environment={environment}
        strategy={strategy}
        values={draft.values}
        segments={segments}
        onCancel={() => setWay(undefined)}
        onSend={(how, answer) => void save(draft.values, how, answer)}
        onMoved={() => {
          setWay(undefined);
          discard();
        }}
      />
    </>
  );
}
