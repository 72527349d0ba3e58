import type { PrerequisiteOutcome } from "@feature-flags/evaluation/explain";
import { useProjectId } from "../../shared/data/use-project-id.ts";
import { prerequisiteText } from "../../shared/flags/prerequisite-text.ts";
import { useFormat } from "../../shared/i18n/use-format.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { LinkAnchor } from "../../shared/ui/links.tsx";
import { Check, CheckList } from "./Check.tsx";
import type { KnownFlags } from "./use-flags-with-rules.ts";

interface Props {
  outcomes: readonly PrerequisiteOutcome[];
  entries: KnownFlags["entries"];
  environmentId: number;
}

/** The prerequisites of a flag: which hold, and the results of the required flags, with links. */
export function Prerequisites({ outcomes, entries, environmentId }: Props) {
  return (
    <CheckList>
      {outcomes.map((outcome) => (
        <PrerequisiteCheck
          key={outcome.prerequisite.flagKey}
          outcome={outcome}
          entries={entries}
          environmentId={environmentId}
        />
      ))}
    </CheckList>
  );
}

function PrerequisiteCheck({
  outcome: { prerequisite, verdict, holds },
  entries,
  environmentId,
}: Omit<Props, "outcomes"> & { outcome: PrerequisiteOutcome }) {
  const { t } = useTranslation();
  const format = useFormat();
  const projectId = useProjectId();
  const { flagKey } = prerequisite;
  const required = entries.get(flagKey)?.flag;
  const { enabled, variant } = verdict;
  const result =
    variant === undefined
      ? t(enabled ? "playground.prerequisite.isOn" : "playground.prerequisite.isOff")
      : t(enabled ? "playground.prerequisite.servesOn" : "playground.prerequisite.servesOff", {
          variant,
        });
  return (
    <Check
      isMet={holds}
      outcome={holds ? t("playground.met") : t("playground.notMet")}
      detail={
        required ? (
          <>
            {result}{" "}
            <LinkAnchor
              size="xs"
              to="/projects/$projectId/flags/$flagId"
              params={{ projectId, flagId: required.id }}
              search={{ environment: environmentId }}
            >
              {t("playground.openNamed", { name: required.name })}
            </LinkAnchor>
          </>
        ) : (
          t("playground.prerequisite.missing")
        )
      }
    >
      {prerequisiteText(t, format, prerequisite, required?.name ?? flagKey)}
    </Check>
  );
}
