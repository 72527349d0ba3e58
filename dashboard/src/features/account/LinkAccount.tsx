import { Button, Group } from "@mantine/core";
import { isNotEmpty } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { fieldErrorsOf } from "../../shared/api/field-errors.ts";
import { rewordError } from "../../shared/api/reword-error.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { ConfirmIdentity } from "../../shared/session/ConfirmIdentity.tsx";
import { CurrentPasswordField } from "../../shared/session/CurrentPasswordField.tsx";
import { confirmationOf, visitProvider } from "../../shared/session/own-account.ts";
import type { SignOnOption } from "../../shared/session/sign-on.ts";
import { FormActions } from "../../shared/ui/FormActions.tsx";
import { FormModal } from "../../shared/ui/FormModal.tsx";
import { ServerForm } from "../../shared/ui/ServerForm.tsx";
import { useDialog } from "../../shared/ui/use-dialog.ts";
import { useNotify } from "../../shared/ui/use-notify.tsx";
import { useServerForm } from "../../shared/use-server-form.ts";

interface Link {
  option: SignOnOption;
  currentPassword?: string;
}

/**
 * A button for each provider with which the user has no account yet. A dialog asks the user to confirm
 * the link, if the service asks for that.
 */
export function LinkAccount({ options }: { options: readonly SignOnOption[] }) {
  const { t } = useTranslation();
  const { done, failed } = useNotify();
  const { subject: asked, isOpen, open, close } = useDialog<SignOnOption>();
  const link = useMutation({
    // A 403 is the refusal of an account by Cloudflare Access, whose link needs no redirect.
    mutationFn: ({ option, ...confirmation }: Link) =>
      rewordError(visitProvider(option, { intent: "link", ...confirmation }), {
        codes: { FORBIDDEN: t("session.problems.conflict") },
        fields: { currentPassword: t("account.currentWrong") },
      }),
    onSuccess: (outcome) => {
      if (outcome === "done") done(t("account.linked"));
    },
  });
  const begin = async (option: SignOnOption) => {
    try {
      await link.mutateAsync({ option });
    } catch (error) {
      if ("currentPassword" in fieldErrorsOf(error)) open(option);
      else failed(error);
    }
  };
  if (options.length === 0) return null;
  return (
    <>
      <Group gap="xs">
        {options.map((option) => (
          <Button
            key={option.slug}
            variant="default"
            loading={link.isPending && link.variables.option.slug === option.slug}
            onClick={() => void begin(option)}
          >
            {t("account.link", { provider: option.name })}
          </Button>
        ))}
      </Group>
      <FormModal
        title={asked ? t("account.link", { provider: asked.name }) : ""}
        opened={isOpen}
        onClose={close}
        isConfirmation
      >
        {asked && (
          <ConfirmIdentity>
            {(confirmedUntil) => (
              <LinkForm
                confirmedUntil={confirmedUntil}
                onPassword={async (currentPassword) => {
                  await link.mutateAsync({ option: asked, ...confirmationOf(currentPassword) });
                  close();
                }}
                onCancel={close}
              />
            )}
          </ConfirmIdentity>
        )}
      </FormModal>
    </>
  );
}

interface FormProps {
  confirmedUntil: string | null;
  onPassword: (currentPassword: string) => Promise<unknown>;
  onCancel: () => void;
}

function LinkForm({ confirmedUntil, onPassword, onCancel }: FormProps) {
  const { t } = useTranslation();
  const { form, pending, error, onSubmit } = useServerForm({
    form: {
      initialValues: { currentPassword: "" },
      validate:
        confirmedUntil === null ? { currentPassword: isNotEmpty(t("common.required")) } : {},
    },
    submit: ({ currentPassword }) => onPassword(currentPassword),
  });
  return (
    <ServerForm onSubmit={onSubmit} pending={pending} error={error}>
      <CurrentPasswordField
        confirmedUntil={confirmedUntil}
        label={t("account.currentPassword")}
        data-autofocus
        {...form.getInputProps("currentPassword")}
      />
      <FormActions onCancel={onCancel} pending={pending} submit={t("account.mfaContinue")} />
    </ServerForm>
  );
}
