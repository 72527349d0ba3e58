import { Text } from "@mantine/core";
import { isNotEmpty } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { dataOf } from "../../shared/api/response.ts";
import { api } from "../../shared/api/client.ts";
import { conflictToFieldError } from "../../shared/api/conflict-to-field-error.ts";
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
  const create = useMutation({
    mutationFn: ({ name, description }: { name: string; description: string }) =>
      dataOf(
        api.POST("/api/v1/segments", {
          body: {
            name,
            description: description === "" ? null : description,
            constraints: [],
            projectId,
          },
        }),
      ),
  });
  const { form, pending, error, onSubmit } = useServerForm({
    form: {
      initialValues: { name: "", description: "" },
      validate: { name: isNotEmpty(t("common.required")) },
    },
    submit: async (values) => {
      const { id } = await conflictToFieldError(
        create.mutateAsync(values),
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
