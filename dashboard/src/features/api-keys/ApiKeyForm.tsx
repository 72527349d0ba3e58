import { Checkbox, type CheckboxProps } from "@mantine/core";
import { isNotEmpty } from "@mantine/form";
import { KeyTypeChoice } from "../../shared/api-keys/KeyTypeChoice.tsx";
import { useWrite } from "../../shared/api/request.ts";
import type { ApiKey, Environment, Schemas } from "../../shared/api/types.ts";
import { EnvironmentSelect } from "../../shared/environments/EnvironmentSelect.tsx";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { NameInput } from "../../shared/ui/NameInput.tsx";
import { FormActions } from "../../shared/ui/FormActions.tsx";
import { ServerForm } from "../../shared/ui/ServerForm.tsx";
import { useServerForm } from "../../shared/use-server-form.ts";

type Fields = {
  name: string;
  keyType: ApiKey["keyType"];
  canWrite: boolean;
  environmentId: string | null;
};

interface Props {
  environments: readonly Environment[];
  preset: number | undefined;
  onCreated: (key: Schemas["CreatedApiKey"]) => void;
  onCancel: () => void;
}

export function ApiKeyForm({ environments, preset, onCreated, onCancel }: Props) {
  const { t } = useTranslation();
  const first = environments.find(({ id }) => id === preset) ?? environments[0];
  const create = useWrite("post", "/api/v1/api-keys");
  const { form, pending, error, onSubmit } = useServerForm<Fields>({
    form: {
      initialValues: {
        name: "",
        keyType: "SERVER",
        canWrite: false,
        environmentId: first ? String(first.id) : null,
      },
      validate: {
        name: isNotEmpty(t("common.required")),
        environmentId: isNotEmpty(t("common.required")),
      },
    },
    submit: async ({ environmentId, ...fields }) => {
      const canWrite = fields.canWrite && fields.keyType === "SERVER";
      const body = { ...fields, canWrite, environmentId: Number(environmentId) };
      onCreated(await create.mutateAsync({ body }));
    },
  });
  return (
    <ServerForm onSubmit={onSubmit} pending={pending} error={error}>
      <NameInput description={t("apiKeys.nameHint")} {...form.getInputProps("name")} />
      <KeyTypeChoice label={t("apiKeys.type")} {...form.getInputProps("keyType")} />
      {form.values.keyType === "SERVER" && (
        <CanWriteCheckbox {...form.getInputProps("canWrite", { type: "checkbox" })} />
      )}
      <EnvironmentSelect
        label={t("apiKeys.environment")}
        description={t("apiKeys.environmentHint")}
        environments={environments}
        value={Number(form.values.environmentId)}
        onChange={(id) => form.setFieldValue("environmentId", String(id))}
        error={form.errors["environmentId"]}
        required
      />
      <FormActions onCancel={onCancel} pending={pending} submit={t("apiKeys.create")} />
    </ServerForm>
  );
}

/** Whether a server key may change roll-outs. Accepts the props of Mantine's `getInputProps`. */
export function CanWriteCheckbox(props: CheckboxProps) {
  const { t } = useTranslation();
  return (
    <Checkbox label={t("apiKeys.canWrite")} description={t("apiKeys.canWriteHint")} {...props} />
  );
}
