import { Textarea, type TextareaProps } from "@mantine/core";
import { useTranslation } from "../i18n/use-translation.ts";

/** The maximum length of a description, in characters. The API rejects longer descriptions. */
const MAX_DESCRIPTION = 2000;

/** An optional input for the description of an item. The input grows with its text. */
export function DescriptionInput(props: TextareaProps) {
  const { t } = useTranslation();
  return (
    <Textarea
      label={`${t("common.description")} (${t("common.optional")})`}
      maxLength={MAX_DESCRIPTION}
      autosize
      minRows={2}
      maxRows={8}
      {...props}
    />
  );
}
