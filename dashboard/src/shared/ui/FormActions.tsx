import { Button, type ButtonProps, Group } from "@mantine/core";
import { useTranslation } from "react-i18next";

interface Props extends Pick<ButtonProps, "color" | "disabled"> {
  onCancel: () => void;
  pending: boolean;
  /** The words on the button that sends the form: what it does. */
  submit: string;
}

/** The end of a form in a `FormModal`; `color` and `disabled` are for its own button. */
export function FormActions({ onCancel, pending, submit, ...look }: Props) {
  const { t } = useTranslation();
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={onCancel}>
        {t("common.cancel")}
      </Button>
      <Button type="submit" loading={pending} {...look}>
        {submit}
      </Button>
    </Group>
  );
}
