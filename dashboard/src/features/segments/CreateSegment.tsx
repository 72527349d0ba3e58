import { Text } from "@mantine/core";
import { isNotEmpty } from "@mantine/form";
import { useNavigate } from "@tanstack/react-router";
import { conflictToFieldError } from "../../shared/api/conflict-to-field-error.ts";
import { useWrite } from "../../shared/api/request.ts";
import { useProjectId } from "../../shared/data/use-project-id.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { NameInput } from "../../shared/ui/NameInput.tsx";
import { DescriptionInput } from "../../shared/ui/DescriptionInput.tsx";
import { FormActions } from "../../shared/ui/FormActions.tsx";
import { ServerForm } from "../../shared/ui/ServerForm.tsx";
import { useServerForm } from "../../shared/use-server-form.ts";

/** Creates a segment without constraints and opens its page, where the user adds them. */
export function CreateSegment({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const projectId = useProjectId();
  const create = useWrite("post", "/api/v1/segments");
  const { form, pending, error, onSubmit } = useServerForm({
    form: {
      initialValues: { name: "", description: "" },
      validate: { name: isNotEmpty(t("common.required")) },
    },
    submit: async ({ name, description: text }) => {
      const description = text === "" ? null : text;
      const { id } = await conflictToFieldError(
        create.mutateAsync({ body: { name, description, constraints: [], projectId } }),
        "name",
        t("segments.nameTaken"),
      );
      onClose();
      await navigate({
        to: "/projects/$projectId/segments/$segmentId",
        params: { projectId, segmentId: id },
      });
    },
  });
  return (
    <ServerForm onSubmit={onSubmit} pending={pending} error={error}>
      <NameInput description={t("segments.nameHint")} {...form.getInputProps("name")} />
      <DescriptionInput {...form.getInputProps("description")} />
      <Text size="sm" c="dimmed">
        {t("segments.createNext")}
      </Text>
      <FormActions onCancel={onClose} pending={pending} submit={t("segments.create")} />
    </ServerForm>
  );
}
