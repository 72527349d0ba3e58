import { MultiSelect, NumberInput } from "@mantine/core";
import { isInRange, isNotEmpty } from "@mantine/form";
import type { Scope } from "@feature-flags/permissions/permissions";
import { useMutation } from "@tanstack/react-query";
import { rewordError } from "../api/reword-error.ts";
import type { Environment, Project, Schemas } from "../api/types.ts";
import { selectOptionsOf } from "../data/select-options.ts";
import { useFormat } from "../i18n/use-format.ts";
import { useTranslation } from "../i18n/use-translation.ts";
import { CurrentPasswordField } from "../session/CurrentPasswordField.tsx";
import { confirmationOf } from "../session/own-account.ts";
import { FormActions } from "../ui/FormActions.tsx";
import { NameInput } from "../ui/NameInput.tsx";
import { ServerForm } from "../ui/ServerForm.tsx";
import { useServerForm } from "../use-server-form.ts";
import { ReachChoice } from "./ReachChoice.tsx";
import { ScopeChoice } from "./ScopeChoice.tsx";
import { createToken, type TokenOwner } from "./token-requests.ts";
import {
  limitOf,
  limitProblem,
  MAX_LISTED,
  offeredEnvironments,
  unlimitedScopes,
  type Reach,
} from "./token-limits.ts";
import type { TokenNames } from "./use-token-names.ts";

type Fields = {
  name: string;
  scopes: Scope[];
  projectIds: number[];
  reach: Reach;
  environmentIds: number[];
  expiresInDays: number | string;
  currentPassword: string;
};

/** How long a token can be valid, in days. The API enforces the limits. */
const DAYS = { min: 1, max: 365 } as const;
const DEFAULT_DAYS = 90;

interface Props {
  owner: TokenOwner;
  projects: readonly Project[];
  /** The environments that the owner sees. */
  environments: readonly Environment[];
  names: TokenNames;
  /** Until when no password is needed; null if it is (`ConfirmIdentity`). */
  confirmedUntil: string | null;
  onCreated: (token: Schemas["CreatedToken"]) => void;
  onCancel: () => void;
}

export function TokenForm({
  owner,
  projects,
  environments,
  names,
  confirmedUntil,
  onCreated,
  onCancel,
}: Props) {
  const { t } = useTranslation();
  const { list } = useFormat();
  const create = useMutation({ mutationFn: createToken });
  const problemOf = (fields: Fields) => limitProblem(fields.scopes, limitOf(fields, environments));
  const { form, pending, error, onSubmit } = useServerForm<Fields>({
    form: {
      initialValues: {
        name: "",
        scopes: ["read"],
        projectIds: [],
        reach: "withoutProduction",
        environmentIds: [],
        expiresInDays: DEFAULT_DAYS,
        currentPassword: "",
      },
      validate: {
        name: isNotEmpty(t("common.required")),
        scopes: isNotEmpty(t("common.required")),
        environmentIds: (_, fields) => {
          const problem = problemOf(fields);
          const rights = unlimitedScopes(fields.scopes).map((one) => t(`tokens.scopeNames.${one}`));
          return problem === undefined
            ? null
            : t(`tokens.${problem}`, { count: MAX_LISTED, rights: list(rights) });
        },
        expiresInDays: isInRange(DAYS, t("tokens.expiresRule", DAYS)),
        ...(confirmedUntil === null && { currentPassword: isNotEmpty(t("common.required")) }),
      },
    },
    submit: async (fields) => {
      const { name, scopes, projectIds, expiresInDays, currentPassword } = fields;
      const limit = limitOf(fields, environments);
      const created = await rewordError(
        create.mutateAsync({
          name,
          scopes,
          projectIds: projectIds.length === 0 ? null : projectIds,
          environmentIds: limit && [...limit],
          expiresInDays: Number(expiresInDays),
          ...confirmationOf(currentPassword),
          ...(owner && { serviceAccountId: owner.id }),
        }),
        {
          codes: { QUOTA_EXCEEDED: t("tokens.quota") },
          fields: { currentPassword: t("account.currentWrong") },
        },
      );
      onCreated(created);
    },
  });
  const { scopes, projectIds, reach, environmentIds } = form.values;
  return (
    <ServerForm onSubmit={onSubmit} pending={pending} error={error}>
      <NameInput description={t("tokens.nameHint")} {...form.getInputProps("name")} />
      <ScopeChoice
        canApprove={owner === undefined}
        value={scopes}
        onChange={(checked) => form.setFieldValue("scopes", checked)}
        error={form.errors["scopes"]}
      />
      {projects.length > 1 && (
        <MultiSelect
          label={t("tokens.projects")}
          description={t("tokens.projectsHint")}
          placeholder={projectIds.length === 0 ? t("tokens.allProjects") : ""}
          data={selectOptionsOf(projects)}
          value={projectIds.map(String)}
          onChange={(ids) => form.setFieldValue("projectIds", ids.map(Number))}
          data-path="projectIds"
          searchable
          hidePickedOptions
          maxValues={MAX_LISTED}
          nothingFoundMessage={t("shell.searchEmpty")}
          error={form.errors["projectIds"]}
        />
      )}
      {scopes.includes("write") && (
        <ReachChoice
          environments={offeredEnvironments(environments, projectIds)}
          names={names}
          reach={reach}
          onReach={(chosen) => form.setValues({ reach: chosen })}
          value={environmentIds}
          onChange={(ids) => form.setFieldValue("environmentIds", ids)}
          error={form.errors["environmentIds"]}
        />
      )}
      <NumberInput
        label={t("tokens.expiresInDays")}
        description={t("tokens.expiresHint")}
        allowDecimal={false}
        allowNegative={false}
        clampBehavior="none"
        {...DAYS}
        maw="20rem"
        {...form.getInputProps("expiresInDays")}
      />
      <CurrentPasswordField
        confirmedUntil={confirmedUntil}
        label={t("account.currentPassword")}
        description={t("tokens.passwordHint")}
        {...form.getInputProps("currentPassword")}
      />
      <FormActions onCancel={onCancel} pending={pending} submit={t("tokens.create")} />
    </ServerForm>
  );
}
