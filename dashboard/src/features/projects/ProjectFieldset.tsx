import type { UseFormReturnType } from "@mantine/form";
import { NameInput } from "../../shared/ui/NameInput.tsx";
import { DescriptionInput } from "../../shared/ui/DescriptionInput.tsx";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import type { ProjectFields } from "./project-requests.ts";

export function ProjectFieldset({ form }: { form: UseFormReturnType<ProjectFields> }) {
  const { t } = useTranslation();
  return (
    <>
      <NameInput {...form.getInputProps("name")} />
      <DescriptionInput
        description={t("projects.descriptionHint")}
        {...form.getInputProps("description")}
      />
    </>
  );
}
