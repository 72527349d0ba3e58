import { TextInput, type TextInputProps } from "@mantine/core";
import { useTranslation } from "../i18n/use-translation.ts";

/** The maximum length of a name, in characters. The API rejects longer names. */
export const MAX_NAME = 200;

/** A required input for the name of an item. In a dialog, the input takes the focus. */
export function NameInput(props: TextInputProps) {
  const { t } = useTranslation();
  return (
    <TextInput label={t("common.name")} maxLength={MAX_NAME} required data-autofocus {...props} />
  );
}
