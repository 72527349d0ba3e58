import { Text, Button } from "@mantine/core";
import { useState } from "react";
import type { FlagWithRelated, Prerequisite } from "../../../shared/api/types.ts";
import type { OnDraft } from "../../../shared/flags/use-drafts.ts";
import { useFormat } from "../../../shared/i18n/use-format.ts";
import { useTranslation } from "../../../shared/i18n/use-translation.ts";
import { LinkAnchor } from "../../../shared/ui/links.tsx";
import { EditablePart } from "../EditablePart.tsx";
import classes from "./Prerequisites.module.css";
import { PrerequisitesForm } from "./PrerequisitesForm.tsx";

/** The section of the flag page for the flags that the flag requires, and that require it. */
export function Prerequisites({ flag, onDraft }: { flag: FlagWithRelated; onDraft: OnDraft }) {
  const { t } = useTranslation();
  return (
    <EditablePart
      flag={flag}
      id="prerequisites"
      field="prerequisites"
      title={t("prerequisites.title")}
      hint={t("prerequisites.hint")}
      edit={t("prerequisites.edit")}
      renderForm={(handlers) => <PrerequisitesForm flag={flag} onDraft={onDraft} {...handlers} />}
    >
      <PrerequisiteList flag={flag} />
      <RequiredBy flag={flag} />
    </EditablePart>
  );
}

/**
 * Lists the flags that a flag requires, and whether each must be on, off or serve certain variants.
 */
function PrerequisiteList({ flag }: { flag: FlagWithRelated }) {
  const { t } = useTranslation();
  const demand = useDemand();
  const { prerequisites } = flag;
  if (prerequisites.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t("prerequisites.none")}
      </Text>
    );
  return (
    <ul className={classes.list} aria-label={t("prerequisites.title")}>
      {prerequisites.map((prerequisite) => (
        <li key={prerequisite.flagKey} className={classes.item}>
          <FlagLink from={flag} flagKey={prerequisite.flagKey} />{" "}
          <Text span size="sm">
            {demand(prerequisite)}
          </Text>
        </li>
      ))}
    </ul>
  );
}

/** Returns a function that says how a required flag must answer, such as `is on`. */
function useDemand(): (prerequisite: Prerequisite) => string {
  const { t } = useTranslation();
  const { either } = useFormat();
  return ({ enabled, variants }) => {
    if (variants === undefined) return t(enabled ? "prerequisites.isOn" : "prerequisites.isOff");
    const words = { variants: either(variants) };
    return t(enabled ? "prerequisites.serves" : "prerequisites.isOffServing", words);
  };
}

/** The number of flags that are shown at first, and that a click on the button adds. */
const SHOWN = 10;

/** The flags that require a flag. Nothing if there are none. */
function RequiredBy({ flag }: { flag: FlagWithRelated }) {
  const { t } = useTranslation();
  const [shown, setShown] = useState(SHOWN);
  const { requiredBy } = flag;
  if (requiredBy.length === 0) return null;
  const hidden = requiredBy.length - shown;
  return (
    <div className={classes.requiredBy}>
      <Text size="sm" fw={600} id="required-by">
        {t("prerequisites.requiredBy")}
      </Text>
      <Text size="sm" c="dimmed" mb="xs">
        {t("prerequisites.requiredByHint")}
      </Text>
      <ul className={classes.list} aria-labelledby="required-by">
        {requiredBy.slice(0, shown).map((flagKey) => (
          <li key={flagKey} className={classes.item}>
            <FlagLink from={flag} flagKey={flagKey} />
          </li>
        ))}
      </ul>
      {hidden > 0 && (
        <Button
          variant="subtle"
          size="compact-sm"
          mt={4}
          onClick={() => setShown(shown + Math.min(hidden, SHOWN))}
        >
          {t("prerequisites.more", { count: Math.min(hidden, SHOWN) })}
        </Button>
      )}
    </div>
  );
}

interface Props {
  /** The flag to show: one that requires the flag of the page, or that this flag requires. */
  from: FlagWithRelated;
  flagKey: string;
}

/** The name of a flag as a link to its page, with its key. Only the key if the name is unknown. */
function FlagLink({ from: { projectId, related }, flagKey }: Props) {
  const flag = related?.flags.find(({ key }) => key === flagKey);
  const key = (
    <Text span size="xs" ff="monospace" c="dimmed">
      {flagKey}
    </Text>
  );
  if (!flag) return key;
  return (
    <>
      <LinkAnchor
        size="sm"
        fw={600}
        to="/projects/$projectId/flags/$flagId"
        params={{ projectId, flagId: flag.id }}
      >
        {flag.name}
      </LinkAnchor>{" "}
      {flag.name !== flagKey && key}
    </>
  );
}
