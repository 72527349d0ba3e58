import { isNotEmpty } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { api } from "../../shared/api/client.ts";
import type { ApiKey } from "../../shared/api/types.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { NameInput } from "../../shared/ui/NameInput.tsx";
import { FormActions } from "../../shared/ui/FormActions.tsx";
import { CanWriteCheckbox } from "./CanWriteCheckbox.tsx";
import { ServerForm } from "../../shared/ui/ServerForm.tsx";
import { useServerForm } from "../../shared/use-server-form.ts";

interface Props {
  apiKey: ApiKey;
  onClose: () => void;
}

export function EditApiKey({ apiKey: { id, name, keyType, canWrite }, onClose }: Props) {
  const { t } = useTranslation();
  const update = useMutation({
    mutationFn: (body: { name: string; canWrite: boolean }) =>
      api.PUT("/api/v1/api-keys/{id}", { params: { path: { id } }, body }),
  });
  const { form, pending, error, onSubmit } = useServerForm({
    form: {
      initialValues: { name, canWrite },
      validate: { name: isNotEmpty(t("common.required")) },
    },
    submit: async (values) => {
      await update.mutateAsync(values);
      onClose();
    },
  });
  return (
    <ServerForm onSubmit={onSubmit} pending={pending} error={error}>
      <NameInput description={t("apiKeys.nameHint")} {...form.getInputProps("name")} />
      {keyType === "SERVER" && (
        <CanWriteCheckbox {...form.getInputProps("canWrite", { type: "checkbox" })} />
      )}
      <FormActions onCancel={onClose} pending={pending} submit={t("common.save")} />
    </ServerForm>
  );
}
