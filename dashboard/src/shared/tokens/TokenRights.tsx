import { MultiSelect, Checkbox, Stack } from "@mantine/core";
import { type Scope, SCOPES } from "@feature-flags/permissions/permissions";
import { isNotEmpty } from "@mantine/form";
import type { ReactNode } from "react";
import type { Environment } from "../api/types.ts";
import { selectOptionsOf } from "../data/select-options.ts";
import { useFormat } from "../i18n/use-format.ts";
import { useTranslation } from "../i18n/use-translation.ts";
import { ReachChoice } from "./ReachChoice.tsx";
import {
  MAX_LISTED,
  offeredEnvironments,
  type Rights,
  limitOf,
  limitProblem,
  unlimitedScopes,
} from "./token-limits.ts";
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

interface ScopeChoiceProps {
  /** The scopes from which the user chooses. */
  offered: readonly Scope[];
  value: readonly Scope[];
  onChange: (scopes: Scope[]) => void;
  error: ReactNode;
}

/** The scopes of a token. `read` is checked and disabled while another scope includes it. */
function ScopeChoice({ offered, value, onChange, error }: ScopeChoiceProps) {
  const { t } = useTranslation();
  const isReadIncluded = value.includes("write") || value.includes("admin");
  return (
    <Checkbox.Group
      label={t("tokens.scopes")}
      description={t("tokens.scopesHint")}
      required
      withAsterisk={false}
      error={error}
      errorProps={{ mt: "xs" }}
      value={isReadIncluded ? [...value, "read"] : [...value]}
      onChange={(checked) => onChange(SCOPES.filter((scope) => checked.includes(scope)))}
    >
      <Stack gap="xs" mt="xs">
        {SCOPES.filter((scope) => offered.includes(scope)).map((scope) => (
          <Checkbox
            key={scope}
            value={scope}
            // The form looks for this input to focus it after an error.
            {...(scope === "read" && { "data-path": "scopes" })}
            label={t(`tokens.scopeNames.${scope}`)}
            description={t(`tokens.scopeMeans.${scope}`)}
            disabled={scope === "read" && isReadIncluded}
          />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}

/** Returns the rules of a form with the inputs of `TokenRights`. */
export function useRightsRules(environments: readonly Environment[]) {
  const { t } = useTranslation();
  const { list } = useFormat();
  return {
    scopes: isNotEmpty(t("common.required")),
    environmentIds: (_: unknown, rights: Rights) => {
      const problem = limitProblem(rights.scopes, limitOf(rights, environments));
      const names = unlimitedScopes(rights.scopes).map((one) => t(`tokens.scopeNames.${one}`));
      return problem === undefined
        ? null
        : t(`tokens.${problem}`, { count: MAX_LISTED, rights: list(names) });
    },
  };
}
