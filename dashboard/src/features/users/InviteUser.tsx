import { Text, TextInput } from "@mantine/core";
import { isNotEmpty } from "@mantine/form";
import { useWrite } from "../../shared/api/request.ts";
import { hasCode } from "../../shared/api/api-error.ts";
import { rewordError } from "../../shared/api/reword-error.ts";
import type { Role, Schemas } from "../../shared/api/types.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { FormActions } from "../../shared/ui/FormActions.tsx";
import { ServerForm } from "../../shared/ui/ServerForm.tsx";
import { useServerForm } from "../../shared/use-server-form.ts";
import { RoleChoice } from "../../shared/session/RoleChoice.tsx";

interface Props {
  onClose: () => void;
  onInvited: (user: Schemas["InvitedUser"]) => void;
}

export function InviteUser({ onClose, onInvited }: Props) {
  const { t } = useTranslation();
  const invite = useWrite("post", "/api/v1/users/invite");
  const { form, pending, error, onSubmit } = useServerForm<{
    email: string;
    name: string;
    role: Role;
  }>({
    form: {
      initialValues: { email: "", name: "", role: "VIEWER" },
      validate: { email: isNotEmpty(t("common.required")) },
    },
    submit: async ({ email, name, role }) => {
      const body = {
        email: email.trim(),
        role,
        ...(name.trim() !== "" && { name: name.trim() }),
      };
      const words = {
        codes: { QUOTA_EXCEEDED: t("users.quota") },
        fields: { email: t("users.emailWrong") },
      };
      try {
        onInvited(await rewordError(invite.mutateAsync({ body }), words));
        onClose();
      } catch (thrown) {
        if (!hasCode(thrown, "CONFLICT")) throw thrown;
        form.setFieldError("email", t("users.known"));
        form.getInputNode("email")?.focus();
      }
    },
  });
  return (
    <ServerForm onSubmit={onSubmit} pending={pending} error={error}>
      <Text size="sm">{t("users.inviteText")}</Text>
      <TextInput
        label={t("users.email")}
        inputMode="email"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={254}
        required
        withAsterisk={false}
        data-autofocus
        {...form.getInputProps("email")}
      />
      <TextInput
        label={`${t("common.name")} (${t("common.optional")})`}
        description={t("users.nameHint")}
        autoComplete="off"
        maxLength={200}
        {...form.getInputProps("name")}
      />
      <RoleChoice {...form.getInputProps("role")} />
      <FormActions onCancel={onClose} pending={pending} submit={t("users.sendInvitation")} />
    </ServerForm>
  );
}
