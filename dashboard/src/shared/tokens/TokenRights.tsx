import { MultiSelect } from "@mantine/core";
import type { Scope } from "@feature-flags/permissions/permissions";
import type { ReactNode } from "react";
import { selectOptionsOf } from "../data/select-options.ts";
import { useTranslation } from "../i18n/use-translation.ts";
import { ReachChoice } from "./ReachChoice.tsx";
import { ScopeChoice } from "./ScopeChoice.tsx";
import { MAX_LISTED, offeredEnvironments, type Rights } from "./token-limits.ts";
import type { TokenChoices } from "./use-token-choices.ts";

interface Props {
  choices: TokenChoices;
  /** The scopes from which the user chooses. */
  offered: readonly Scope[];
  value: Rights;
  onChange: (change: Partial<Rights>) => void;
  /** The errors of the inputs, by field. */
  errors: Readonly<Record<string, ReactNode>>;
}

/** The inputs for what a token may do, and where. */
export function TokenRights({ choices, offered, value, onChange, errors }: Props) {
  const { t } = useTranslation();
  const { projects, environments, names } = choices;
  const { scopes, projectIds, reach, environmentIds } = value;
  return (
    <>
      <ScopeChoice
        offered={offered}
        value={scopes}
        onChange={(checked) => onChange({ scopes: checked })}
        error={errors["scopes"]}
      />
      {projects.length > 1 && (
        <MultiSelect
          label={t("tokens.projects")}
          description={t("tokens.projectsHint")}
          placeholder={projectIds.length === 0 ? t("tokens.allProjects") : ""}
          data={selectOptionsOf(projects)}
          value={projectIds.map(String)}
          onChange={(ids) => onChange({ projectIds: ids.map(Number) })}
          data-path="projectIds"
          searchable
          hidePickedOptions
          maxValues={MAX_LISTED}
          nothingFoundMessage={t("shell.searchEmpty")}
          error={errors["projectIds"]}
        />
      )}
      {scopes.includes("write") && (
        <ReachChoice
          environments={offeredEnvironments(environments, projectIds)}
          names={names}
          reach={reach}
          onReach={(chosen) => onChange({ reach: chosen })}
          value={environmentIds}
          onChange={(ids) => onChange({ environmentIds: ids })}
          error={errors["environmentIds"]}
        />
      )}
    </>
  );
}
