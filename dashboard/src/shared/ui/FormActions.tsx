import { Button, Group } from "@mantine/core";
import { useTranslation } from "react-i18next";

interface Props {
  onCancel: () => void;
  pending: boolean;
  /** The words on the button that sends the form: what it does. */
  submit: string;
}

/** The end of a form in a `FormModal`. */
export function FormActions({ onCancel, pending, submit }: Props) {
  const { t } = useTranslation();
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={onCancel}>
        {t("common.cancel")}
      </Button>
      <Button type="submit" loading={pending}>
        {submit}
      </Button>
    </Group>
  );
}
