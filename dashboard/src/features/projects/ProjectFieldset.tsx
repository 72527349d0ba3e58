import { Textarea, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import type { ProjectFields } from "./project-requests.ts";

export function ProjectFieldset({ form }: { form: UseFormReturnType<ProjectFields> }) {
  const { t } = useTranslation();
  return (
    <>
      <TextInput
        label={t("common.name")}
        maxLength={200}
        required
        data-autofocus
        {...form.getInputProps("name")}
      />
      <Textarea
        label={`${t("common.description")} (${t("common.optional")})`}
        description={t("projects.descriptionHint")}
        autosize
        minRows={2}
        maxRows={8}
        maxLength={2000}
        {...form.getInputProps("description")}
      />
    </>
  );
}
