import { MultiSelect, Checkbox, Stack, Radio } from "@mantine/core";
import { type Scope, SCOPES } from "@feature-flags/permissions/permissions";
import { isNotEmpty } from "@mantine/form";
import type { ReactNode } from "react";
import type { Environment } from "../api/types.ts";
import { selectOptionsOf } from "../data/select-options.ts";
import { useFormat } from "../i18n/use-format.ts";
import { useTranslation } from "../i18n/use-translation.ts";
import {
  MAX_LISTED,
  offeredEnvironments,
  type Rights,
  limitOf,
  limitProblem,
  unlimitedScopes,
  type Reach,
  REACHES,
} from "./token-limits.ts";
import type { TokenChoices } from "./use-token-choices.ts";
import type { TokenNames } from "./use-token-names.ts";

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

interface ReachChoiceProps {
  environments: readonly Environment[];
  names: TokenNames;
  reach: Reach;
  onReach: (reach: Reach) => void;
  value: readonly number[];
  onChange: (environmentIds: number[]) => void;
  error: ReactNode;
}

/** The environments in which a token changes flags: by default all without production. */
function ReachChoice(props: ReachChoiceProps) {
  const { environments, names, reach, onReach, value, onChange, error } = props;
  const { t } = useTranslation();
  return (
    <Stack gap="xs">
      <Radio.Group
        label={t("tokens.environments")}
        description={t("tokens.environmentsHint")}
        value={reach}
        onChange={(chosen) => onReach(REACHES.find((known) => known === chosen) ?? reach)}
        error={reach === "chosen" ? undefined : error}
        errorProps={{ mt: "xs" }}
      >
        <Stack gap="xs" mt="xs">
          {REACHES.map((known) => (
            <Radio
              key={known}
              value={known}
              // The form looks for this input to focus it after an error.
              {...(known === reach && reach !== "chosen" && { "data-path": "environmentIds" })}
              label={t(`tokens.reaches.${known}`)}
              {...(known === "withoutProduction" && {
                description: t("tokens.withoutProductionHint"),
              })}
            />
          ))}
        </Stack>
      </Radio.Group>
      {reach === "chosen" && (
        <MultiSelect
          aria-label={t("tokens.reaches.chosen")}
          data={environments.map(({ id }) => ({
            value: String(id),
            label: names.environment(id),
          }))}
          value={value.map(String)}
          onChange={(ids) => onChange(ids.map(Number))}
          placeholder={value.length === 0 ? t("tokens.chooseEnvironments") : ""}
          data-path="environmentIds"
          searchable
          hidePickedOptions
          nothingFoundMessage={t("shell.searchEmpty")}
          error={error}
        />
      )}
    </Stack>
  );
}
