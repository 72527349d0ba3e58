import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Flag, Strategy } from "../../shared/api/types.ts";
import { validateConstraints } from "../../shared/constraints/validate-constraints.ts";
import { isProduction } from "../../shared/data/environments.ts";
import { ErrorAlert } from "../../shared/ui/ErrorAlert.tsx";
import { useNotify } from "../../shared/ui/use-notify.tsx";
import { type StrategyErrors, strategyErrors } from "./strategy-errors.ts";
import { ConflictNotice } from "./ConflictNotice.tsx";
import { SaveActions, SaveBar } from "./SaveBar.tsx";
import { SaveReview } from "./SaveReview.tsx";
import { contentOf, type SegmentsById, type StrategyContent } from "./strategy.ts";
import { StrategyFields } from "./StrategyFields.tsx";
import classes from "./StrategyForm.module.css";
import type { useDraft } from "./use-draft.ts";
import { isVersionConflict, useSaveStrategy } from "./use-save-strategy.ts";
import { useStrategySentence } from "./use-strategy-sentence.ts";

interface Props {
  flag: Flag;
  /** The saved strategy, without the unsaved changes of the user. */
  strategy: Strategy;
  draft: ReturnType<typeof useDraft>;
  segments: SegmentsById;
}

/**
 * The form that edits for whom the flag is on in one environment. Changes take effect when the user
 * saves the form.
 */
export function StrategyForm({ flag, strategy, draft, segments }: Props) {
  const { t } = useTranslation();
  const describe = useStrategySentence(segments);
  const notify = useNotify();
  const form = useRef<HTMLFormElement>(null);
  const [fieldErrors, setFieldErrors] = useState<StrategyErrors>({});
  const [rejections, setRejections] = useState(0);
  const [reason, setReason] = useState("");
  const [isReviewed, setIsReviewed] = useState(false);
  const { mutateAsync, isPending, error, reset } = useSaveStrategy();
  const environment = strategy.environmentName;
  const asksFirst = isProduction({ name: environment });
  const isConflict = isVersionConflict(error);
  const hasToChoose = draft.isDirty && !isPending && (draft.isOutdated || isConflict);
  const isShownAtField = Object.keys(strategyErrors(error)).length > 0;

  useEffect(() => {
    if (rejections > 0) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [rejections]);

  const change = (changed: Partial<StrategyContent>) => {
    draft.change(changed);
    // Do not clear the errors of constraints here: the constraints editor itself hides the errors
    // of the constraint that the user has changed.
    if (changed.constraints) return;
    const cleared = Object.keys(changed).map((name) => [name, undefined]);
    setFieldErrors((known) => ({ ...known, ...Object.fromEntries(cleared) }));
  };

  const showErrors = (found: StrategyErrors) => {
    setFieldErrors(found);
    setRejections((count) => count + 1);
  };

  const save = async (why: string) => {
    setIsReviewed(false);
    const sent = draft.values;
    try {
      const saved = await mutateAsync({ strategy, change: sent, reason: why });
      draft.afterSave(sent, contentOf(saved));
      setFieldErrors({});
      setReason("");
      notify.done(t("flag.savedIn", { environment }));
    } catch (thrown) {
      showErrors(strategyErrors(thrown));
    }
  };

  const submit = () => {
    if (!draft.isDirty || isPending) return;
    const constraints = validateConstraints(t, draft.values.constraints);
    if (Object.keys(constraints).length > 0) showErrors({ constraints });
    else if (asksFirst) setIsReviewed(true);
    else void save(reason);
  };

  const discard = () => {
    draft.discard();
    setFieldErrors({});
    reset();
  };

  const keep = () => {
    draft.rebase();
    reset();
    submit();
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
        if (!hasToChoose) submit();
      }}
    >
      <StrategyFields
        projectId={flag.projectId}
        segments={segments}
        values={draft.values}
        onChange={change}
        fieldErrors={fieldErrors}
      />
      {draft.isDirty && (
        <SaveBar>
          {error && !isConflict && !isShownAtField && <ErrorAlert error={error} />}
          {hasToChoose ? (
            <ConflictNotice saved={describe(strategy)} onLoad={discard} onKeep={keep} />
          ) : (
            <SaveActions
              isPending={isPending}
              onDiscard={discard}
              reason={asksFirst ? undefined : { value: reason, onChange: setReason }}
            />
          )}
        </SaveBar>
      )}
      {isReviewed && (
        <SaveReview
          environment={environment}
          before={strategy}
          after={{ ...strategy, ...draft.values }}
          segments={segments}
          onCancel={() => setIsReviewed(false)}
          onSave={(why) => void save(why)}
        />
      )}
    </form>
  );
}
