import { NumberInput } from "@mantine/core";
import { isInRange, isNotEmpty } from "@mantine/form";
import { SCOPES } from "@feature-flags/permissions/permissions";
import { useMutation } from "@tanstack/react-query";
import { rewordError } from "../api/reword-error.ts";
import type { Schemas } from "../api/types.ts";
import { useTranslation } from "../i18n/use-translation.ts";
import { useCurrentSession } from "../session/current-session.tsx";
import { CurrentPasswordField } from "../session/CurrentPasswordField.tsx";
import { confirmationOf } from "../session/own-account.ts";
import { FormActions } from "../ui/FormActions.tsx";
import { NameInput } from "../ui/NameInput.tsx";
import { ServerForm } from "../ui/ServerForm.tsx";
import { useServerForm } from "../use-server-form.ts";
import { createToken, type TokenOwner } from "./token-requests.ts";
import { initialRights, type Rights, rightsOf, usefulScopes } from "./token-limits.ts";
import { TokenRights, useRightsRules } from "./TokenRights.tsx";
import type { TokenChoices } from "./use-token-choices.ts";

/** Service accounts cannot review change requests. */
const WITHOUT_APPROVE = SCOPES.filter((scope) => scope !== "approve");

type Fields = Rights & {
  name: string;
  expiresInDays: number | string;
  currentPassword: string;
};

/** How long a token can be valid, in days. The API enforces the limits. */
const DAYS = { min: 1, max: 365 } as const;
const DEFAULT_DAYS = 90;

interface Props {
  owner: TokenOwner;
  choices: TokenChoices;
  /** Until when no password is needed; null if it is (`ConfirmIdentity`). */
  confirmedUntil: string | null;
  onCreated: (token: Schemas["CreatedToken"]) => void;
  onCancel: () => void;
}

export function TokenForm({ owner, choices, confirmedUntil, onCreated, onCancel }: Props) {
  const { t } = useTranslation();
  const { environments, projects } = choices;
  const { user } = useCurrentSession();
  const create = useMutation({ mutationFn: createToken });
  const { form, pending, error, onSubmit } = useServerForm<Fields>({
    form: {
      initialValues: {
        name: "",
        ...initialRights(["read"]),
        expiresInDays: DEFAULT_DAYS,
        currentPassword: "",
      },
      validate: {
        name: isNotEmpty(t("common.required")),
        ...useRightsRules(environments),
        expiresInDays: isInRange(DAYS, t("tokens.expiresRule", DAYS)),
        ...(confirmedUntil === null && { currentPassword: isNotEmpty(t("common.required")) }),
      },
    },
    submit: async (fields) => {
      const { name, expiresInDays, currentPassword } = fields;
      const created = await rewordError(
        create.mutateAsync({
          name,
          ...rightsOf(fields, environments),
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
  return (
    <ServerForm onSubmit={onSubmit} pending={pending} error={error}>
      <NameInput description={t("tokens.nameHint")} {...form.getInputProps("name")} />
      <TokenRights
        choices={choices}
        offered={owner ? WITHOUT_APPROVE : usefulScopes(SCOPES, user, projects)}
        value={form.values}
        onChange={(change) => form.setValues(change)}
        errors={form.errors}
      />
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
