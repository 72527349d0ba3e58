import { Button, Text } from "@mantine/core";
import { isNotEmpty } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { send, useWrite } from "../../shared/api/request.ts";
import type { Schemas } from "../../shared/api/types.ts";
import { ApiError } from "../../shared/api/api-error.ts";
import { rewordError } from "../../shared/api/reword-error.ts";
import type { Translate } from "../../shared/i18n/translate.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { ConfirmIdentity } from "../../shared/session/ConfirmIdentity.tsx";
import { useCurrentSession } from "../../shared/session/current-session.tsx";
import { CurrentPasswordField } from "../../shared/session/CurrentPasswordField.tsx";
import { confirmationOf } from "../../shared/session/own-account.ts";
import {
  isCancelled,
  isKnownToAuthenticator,
  isWrongAddress,
  loadPasskeys,
} from "../../shared/session/passkeys.ts";
import { updateDeadline } from "../../shared/session/update-session.ts";
import { DialogFooter } from "../../shared/ui/DialogFooter.tsx";
import { NameInput } from "../../shared/ui/NameInput.tsx";
import { ServerForm } from "../../shared/ui/ServerForm.tsx";
import { useNotify } from "../../shared/ui/use-notify.tsx";
import { useServerForm } from "../../shared/use-server-form.ts";
import { parseUserAgent } from "./parse-user-agent.ts";

export type Passkey = Schemas["Passkey"];

interface Props {
  onDone: () => void;
}

type OfPasskey = Props & { passkey: Passkey };

export function AddPasskey(props: Props) {
  return (
    <ConfirmIdentity>
      {(confirmedUntil) => <AddForm confirmedUntil={confirmedUntil} {...props} />}
    </ConfirmIdentity>
  );
}

function AddForm({ confirmedUntil, onDone }: Props & { confirmedUntil: string | null }) {
  const { t } = useTranslation();
  const { done } = useNotify();
  const { user } = useCurrentSession();
  const { mutateAsync } = useMutation({ mutationFn: addPasskey });
  const required = isNotEmpty(t("common.required"));
  const { form, pending, error, onSubmit } = useServerForm({
    form: {
      initialValues: { name: proposedName(t), currentPassword: "" },
      validate: { name: required, ...(confirmedUntil === null && { currentPassword: required }) },
    },
    submit: async ({ name, currentPassword }) => {
      const confirmation = confirmationOf(currentPassword);
      await withBrowserErrors(
        t,
        rewordError(mutateAsync({ name, confirmation }), {
          codes: { CONFLICT: t("passkeys.known"), QUOTA_EXCEEDED: t("passkeys.tooMany") },
          fields: { currentPassword: t("account.currentWrong") },
        }),
      );
      onDone();
      done(t("passkeys.added"));
      await updateDeadline(user.id);
    },
  });
  return (
    <ServerForm onSubmit={onSubmit} pending={pending} error={error}>
      <Text size="sm">{t("passkeys.addText")}</Text>
      <NameInput description={t("passkeys.nameHint")} {...form.getInputProps("name")} />
      <CurrentPasswordField
        confirmedUntil={confirmedUntil}
        label={t("account.currentPassword")}
        {...form.getInputProps("currentPassword")}
      />
      <DialogFooter>
        <Button type="submit" loading={pending}>
          {t("passkeys.add")}
        </Button>
      </DialogFooter>
    </ServerForm>
  );
}

interface NewPasskey {
  name: string;
  confirmation: Schemas["PasskeyConfirmation"];
}

/** Lets the browser make a passkey, and adds it to the signed-in user. Throws: ApiError, errors of the browser. */
async function addPasskey({ name, confirmation }: NewPasskey): Promise<Passkey> {
  const { startRegistration } = await loadPasskeys();
  const optionsJSON = await send("post", "/api/v1/auth/passkeys/options", { body: confirmation });
  const response = await startRegistration({ optionsJSON });
  return send("post", "/api/v1/auth/passkeys", { body: { name, response } });
}

/** Returns a name for a passkey that this browser makes. */
function proposedName(t: Translate): string {
  const { program, system } = parseUserAgent(navigator.userAgent);
  if (program === undefined) return "";
  return system === undefined ? program : t("account.device", { program, system });
}

/** Replaces an error of the browser by one that says what happened. */
async function withBrowserErrors<T>(t: Translate, call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    const message = browserErrorText(t, error);
    if (message === undefined) throw error;
    throw new ApiError({ status: 0, code: "REWORDED", message }, { cause: error });
  }
}

function browserErrorText(t: Translate, error: unknown): string | undefined {
  if (isCancelled(error)) return t("passkeys.cancelled");
  if (isKnownToAuthenticator(error)) return t("passkeys.known");
  return isWrongAddress(error) ? t("passkeys.wrongAddress") : undefined;
}

export function RenamePasskey({ passkey: { id, name: before }, onDone }: OfPasskey) {
  const { t } = useTranslation();
  const { done } = useNotify();
  const { mutateAsync } = useWrite("put", "/api/v1/auth/passkeys/{id}");
  const { form, pending, error, onSubmit } = useServerForm({
    form: { initialValues: { name: before }, validate: { name: isNotEmpty(t("common.required")) } },
    submit: async ({ name }) => {
      await mutateAsync({ path: { id }, body: { name } });
      onDone();
      done(t("common.saved"));
    },
  });
  return (
    <ServerForm onSubmit={onSubmit} pending={pending} error={error}>
      <NameInput {...form.getInputProps("name")} />
      <DialogFooter>
        <Button type="submit" loading={pending}>
          {t("common.save")}
        </Button>
      </DialogFooter>
    </ServerForm>
  );
}

export function RemovePasskey(props: OfPasskey) {
  return (
    <ConfirmIdentity>
      {(confirmedUntil) => <RemoveForm confirmedUntil={confirmedUntil} {...props} />}
    </ConfirmIdentity>
  );
}

function RemoveForm({
  passkey: { id, name },
  confirmedUntil,
  onDone,
}: OfPasskey & { confirmedUntil: string | null }) {
  const { t } = useTranslation();
  const { done } = useNotify();
  const { user } = useCurrentSession();
  const { mutateAsync } = useWrite("delete", "/api/v1/auth/passkeys/{id}");
  const { form, pending, error, onSubmit } = useServerForm({
    form: {
      initialValues: { currentPassword: "" },
      validate:
        confirmedUntil === null ? { currentPassword: isNotEmpty(t("common.required")) } : {},
    },
    submit: async ({ currentPassword }) => {
      await rewordError(mutateAsync({ path: { id }, body: confirmationOf(currentPassword) }), {
        fields: { currentPassword: t("account.currentWrong") },
      });
      onDone();
      done(t("passkeys.removed", { name }));
      await updateDeadline(user.id);
    },
  });
  return (
    <ServerForm onSubmit={onSubmit} pending={pending} error={error}>
      <Text size="sm">{t("passkeys.removeText", { name })}</Text>
      <CurrentPasswordField
        confirmedUntil={confirmedUntil}
        label={t("account.currentPassword")}
        data-autofocus
        {...form.getInputProps("currentPassword")}
      />
      <DialogFooter>
        <Button type="submit" loading={pending} color="red">
          {t("passkeys.removeConfirm")}
        </Button>
      </DialogFooter>
    </ServerForm>
  );
}
