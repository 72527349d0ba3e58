import { Button, Group, TextInput } from "@mantine/core";
import { isNotEmpty } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { rewordError } from "../../shared/api/reword-error.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { ServerForm } from "../../shared/ui/ServerForm.tsx";
import { useServerForm } from "../../shared/use-server-form.ts";
import { type DeviceLogin, findDeviceLogin } from "./device-requests.ts";

interface Props {
  /** The initial value of the input. */
  code: string;
  onFound: (userCode: string, login: DeviceLogin) => void;
}

/** The input for the code that the device shows. */
export function CodeForm({ code, onFound }: Props) {
  const { t } = useTranslation();
  const find = useMutation({ mutationFn: findDeviceLogin });
  const { form, pending, error, onSubmit } = useServerForm({
    form: {
      initialValues: { userCode: code },
      validate: { userCode: isNotEmpty(t("common.required")) },
    },
    submit: async ({ userCode }) => {
      const login = await rewordError(find.mutateAsync(userCode), {
        codes: { NOT_FOUND: t("device.unknown") },
        fields: { userCode: t("device.codeRule") },
      });
      onFound(userCode, login);
    },
  });
  return (
    <ServerForm onSubmit={onSubmit} pending={pending} error={error}>
      <TextInput
        label={t("device.code")}
        description={t("device.codeHint")}
        required
        autoFocus
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={40}
        maw="20rem"
        {...form.getInputProps("userCode")}
      />
      <Group>
        <Button type="submit" loading={pending}>
          {t("device.continue")}
        </Button>
      </Group>
    </ServerForm>
  );
}
