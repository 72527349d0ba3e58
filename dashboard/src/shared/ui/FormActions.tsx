import { Button, type ButtonProps, Group } from "@mantine/core";
import { useTranslation } from "../i18n/use-translation.ts";

interface Props extends Pick<ButtonProps, "color" | "disabled"> {
  onCancel: () => void;
  pending: boolean;
  submit: string;
}

/** `color` and `disabled` apply to the submit button. */
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
