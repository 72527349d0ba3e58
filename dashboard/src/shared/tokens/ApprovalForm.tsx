import { Button } from "@mantine/core";
import { isNotEmpty } from "@mantine/form";
import type { Scope } from "@feature-flags/permissions/permissions";
import { useMutation } from "@tanstack/react-query";
import { rewordError } from "../api/reword-error.ts";
import { useTranslation } from "../i18n/use-translation.ts";
import { useCurrentSession } from "../session/current-session.tsx";
import { CurrentPasswordField } from "../session/CurrentPasswordField.tsx";
import { confirmationOf } from "../session/own-account.ts";
import { DialogFooter } from "../ui/DialogFooter.tsx";
import { ServerForm } from "../ui/ServerForm.tsx";
import { useNotify } from "../ui/use-notify.tsx";
import { useServerForm } from "../use-server-form.ts";
import { initialRights, type Rights, rightsOf, usefulScopes } from "./token-limits.ts";
import { TokenRights, useRightsRules } from "./TokenRights.tsx";
import type { TokenChoices } from "./use-token-choices.ts";

/** The rights that a program gets, and the password that confirms the decision, if one is needed. */
type Approval = ReturnType<typeof rightsOf> & ReturnType<typeof confirmationOf>;

interface Props<T> {
  choices: TokenChoices;
  /** Until when no password is needed; null if it is (`ConfirmIdentity`). */
  confirmedUntil: string | null;
  /** The scopes that can be chosen, and those that are chosen at first. */
  offered: readonly Scope[];
  initial: readonly Scope[];
  approveLabel: string;
  approve: (approval: Approval) => Promise<T>;
  deny: () => Promise<T>;
  /** The texts of errors of an approval, by error code. */
  errorTexts: Readonly<Record<string, string>>;
  onDecided: (decided: T) => void;
}

type Fields = Rights & { currentPassword: string };

/** The form with which a user gives a program rights, or denies them. */
export function ApprovalForm<T>(props: Props<T>) {
  const { choices, confirmedUntil, offered, initial, approveLabel, errorTexts, onDecided } = props;
  const { t } = useTranslation();
  const { failed } = useNotify();
  const { environments, projects } = choices;
  const { user } = useCurrentSession();
  const useful = (scopes: readonly Scope[]) => usefulScopes(scopes, user, projects);
  const approve = useMutation({ mutationFn: props.approve });
  const deny = useMutation({ mutationFn: props.deny, onSuccess: onDecided, onError: failed });
  const { form, pending, error, onSubmit } = useServerForm<Fields>({
    form: {
      initialValues: { ...initialRights(useful(initial)), currentPassword: "" },
      validate: {
        ...useRightsRules(environments),
        ...(confirmedUntil === null && { currentPassword: isNotEmpty(t("common.required")) }),
      },
    },
    submit: async (fields) => {
      const confirmation = confirmationOf(fields.currentPassword);
      const approved = await rewordError(
        approve.mutateAsync({ ...rightsOf(fields, environments), ...confirmation }),
        { codes: errorTexts, fields: { currentPassword: t("account.currentWrong") } },
      );
      onDecided(approved);
    },
  });
  return (
    <ServerForm onSubmit={onSubmit} pending={pending} error={error}>
      <TokenRights
        choices={choices}
        offered={useful(offered)}
        value={form.values}
        onChange={(change) => form.setValues(change)}
        errors={form.errors}
      />
      <CurrentPasswordField
        confirmedUntil={confirmedUntil}
        label={t("account.currentPassword")}
        description={t("device.passwordHint")}
        {...form.getInputProps("currentPassword")}
      />
      <DialogFooter>
        <Button
          variant="default"
          disabled={pending}
          loading={deny.isPending}
          onClick={() => deny.mutate()}
        >
          {t("device.deny")}
        </Button>
        <Button type="submit" loading={pending} disabled={deny.isPending}>
          {approveLabel}
        </Button>
      </DialogFooter>
    </ServerForm>
  );
}
