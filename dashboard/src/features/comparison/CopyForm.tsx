import { Alert, Checkbox, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type SubmitEvent, useState } from "react";
import { hasStatus } from "../../shared/api/api-error.ts";
import type { Environment } from "../../shared/api/types.ts";
import { segmentsQuery } from "../../shared/data/project-lists.ts";
import { useProjectId } from "../../shared/data/use-project-id.ts";
import { ProductionStrip } from "../../shared/environments/ProductionStrip.tsx";
import { useFormat } from "../../shared/i18n/use-format.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { useMovesWords } from "../../shared/strategy/use-moves-words.ts";
import { FormActions } from "../../shared/ui/FormActions.tsx";
import { ReasonInput } from "../../shared/ui/ReasonInput.tsx";
import { ServerForm } from "../../shared/ui/ServerForm.tsx";
import { useNotify } from "../../shared/ui/use-notify.tsx";
import type { ComparedFlag } from "./comparison-query.ts";
import classes from "./CopyForm.module.css";
import { needsApproval } from "../../shared/change-requests/use-change-or-propose.ts";
import {
  hasOtherRules,
  useCopyStrategies,
  useUndoCopy,
  copyMovesQuery,
} from "./copy-strategies.ts";
import { DifferingFields } from "./DifferingFields.tsx";
import { namedFlags } from "./named-flags.ts";

interface Props {
  flags: readonly ComparedFlag[];
  current: readonly ComparedFlag[];
  from: Environment;
  to: Environment;
  onCancel: () => void;
  onCopied: () => void;
}

/** Shows what a copy changes in the target environment, and copies it. */
export function CopyForm({ flags, current, from, to, onCancel, onCopied }: Props) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const notify = useNotify();
  const { copy, isPending, error } = useCopyStrategies({
    projectId: to.projectId,
    from: from.id,
    to: to.id,
  });
  const undo = useUndoCopy({ projectId: to.projectId, to: to.id });
  // If the flags differ only in their state (on or off), the choice to copy the state is preset.
  const [withState, setWithState] = useState(!flags.some(hasOtherRules));
  const [reason, setReason] = useState("");
  const copied = withState ? flags : flags.filter(hasOtherRules);
  const names = { from: from.name, to: to.name };
  const isOutdated = hasStatus(error, 412);
  const { data: moves } = useQuery({
    ...copyMovesQuery({ projectId: to.projectId, environmentId: to.id, flags: copied, withState }),
    enabled: copied.length > 0 && !isOutdated,
  });

  const undoCopy = async (done: readonly ComparedFlag[]) => {
    try {
      const undone = await undo(done);
      if (undone)
        notify.done(t("comparison.undone", { count: undone.changed.length, environment: to.name }));
    } catch (failure) {
      if (!needsApproval(failure)) notify.failed(failure);
    }
  };
  const submit = async () => {
    try {
      const result = await copy({ flags: copied, withState, reason });
      onCopied();
      if (!result) return;
      const { changed } = result;
      const done = copied.filter(({ flag: { id } }) => changed.includes(id));
      const message = t("comparison.done", { count: changed.length, environment: to.name });
      if (done.length === 0) notify.done(message);
      else notify.undoable(message, () => void undoCopy(done));
    } catch (failure) {
      // The mutation returns the error, and the form shows it.
      if (hasStatus(failure, 404, 409, 412))
        await client.invalidateQueries({ queryKey: ["comparison"] });
    }
  };
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!isPending && !isOutdated && copied.length > 0) void submit();
  };

  return (
    <ServerForm
      onSubmit={onSubmit}
      pending={isPending}
      error={isOutdated ? undefined : (error ?? undefined)}
    >
      {to.production && <ProductionStrip environment={to.name} />}
      {isOutdated && <Changed flags={copied} current={current} />}
      <Text size="sm">{t("comparison.dialog.consequence", names)}</Text>
      <StateChoice flags={flags} isOn={withState} onChange={setWithState} />
      <CopiedFlags flags={flags} copied={copied} moves={moves} />
      {copied.length === 0 && (
        <Text size="sm" role="status">
          {t("comparison.dialog.nothing")}
        </Text>
      )}
      <ReasonInput value={reason} onChange={setReason} />
      <FormActions
        onCancel={onCancel}
        pending={isPending}
        submit={t("comparison.dialog.submit", { environment: to.name })}
        disabled={isOutdated || copied.length === 0}
      />
    </ServerForm>
  );
}

/** Names the flags whose strategies have changed since the dialog was opened. */
function Changed({ flags, current }: Pick<Props, "flags" | "current">) {
  const { t } = useTranslation();
  const now = new Map(current.map((compared) => [compared.flag.id, compared]));
  const changed = flags.filter(({ flag, from, to }) => {
    const compared = now.get(flag.id);
    return compared?.from.version !== from.version || compared.to.version !== to.version;
  });
  return (
    <Alert color="red" variant="light" role="alert" title={t("flag.conflictTitle")}>
      {t("comparison.dialog.changed", { count: changed.length })}
      <ul className={classes.names}>
        {changed.map(({ flag }) => (
          <li key={flag.id}>{flag.name}</li>
        ))}
      </ul>
    </Alert>
  );
}

interface StateChoiceProps {
  flags: readonly ComparedFlag[];
  isOn: boolean;
  onChange: (isOn: boolean) => void;
}

/** The choice whether to copy the state, too. Shown only if the state of a flag differs. */
function StateChoice({ flags, isOn, onChange }: StateChoiceProps) {
  const { t } = useTranslation();
  const differing = flags.filter(({ from, to }) => from.enabled !== to.enabled);
  if (differing.length === 0) return null;
  const on = differing.filter(({ from }) => from.enabled).length;
  const off = differing.length - on;
  const effects = [
    ...(on > 0 ? [t("comparison.dialog.turnsOn", { count: on })] : []),
    ...(off > 0 ? [t("comparison.dialog.turnsOff", { count: off })] : []),
  ];
  return (
    <Checkbox
      label={t("comparison.dialog.withState")}
      description={effects.join(" · ")}
      checked={isOn}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    />
  );
}

interface CopiedFlagsProps {
  flags: readonly ComparedFlag[];
  copied: readonly ComparedFlag[];
  /** The share of users, 0 to 1, who get another value, by the id of the flag. */
  moves: ReadonlyMap<number, number> | undefined;
}

/**
 * Lists the flags that the copy changes, and for each flag the fields that it changes and the share
 * of users who get another value.
 */
function CopiedFlags({ flags, copied, moves }: CopiedFlagsProps) {
  const { t } = useTranslation();
  const { exactPercent } = useFormat();
  const { data: segments = [] } = useQuery(segmentsQuery(useProjectId()));
  const movesWords = useMovesWords(new Map(segments.map((segment) => [segment.id, segment])));
  const { named, more, most } = namedFlags(flags, moves);
  const movesOf = ({ flag, from, to }: ComparedFlag) => {
    const share = moves?.get(flag.id);
    return share === undefined ? "" : movesWords({ moves: share }, to, from);
  };
  return (
    <ul className={classes.flags}>
      {named.map((compared) => (
        <li key={compared.flag.id}>
          <Text size="sm" fw={500} component="span">
            {compared.flag.name}
          </Text>
          {copied.includes(compared) ? (
            <>
              <DifferingFields fields={compared.fields} />
              <Text size="xs" c="dimmed" className={classes.moves ?? ""}>
                {movesOf(compared)}
              </Text>
            </>
          ) : (
            <Text size="xs" c="dimmed" component="span">
              {t("comparison.dialog.onlyState")}
            </Text>
          )}
        </li>
      ))}
      {more > 0 && (
        <li className={classes.more}>
          {t("bulk.moreFlags", { count: more })}
          {most > 0 && ` · ${t("comparison.dialog.moreMoves", { share: exactPercent(most) })}`}
        </li>
      )}
    </ul>
  );
}
