import { Button, type ButtonProps } from "@mantine/core";
import { useTranslation } from "../i18n/use-translation.ts";
import { DialogFooter } from "./DialogFooter.tsx";

interface Props extends Pick<ButtonProps, "color" | "disabled"> {
  onCancel: () => void;
  pending: boolean;
  submit: string;
}

/** `color` and `disabled` apply to the submit button. */
export function FormActions({ onCancel, pending, submit, ...look }: Props) {
  const { t } = useTranslation();
  return (
    <DialogFooter>
      <Button variant="default" onClick={onCancel}>
        {t("common.cancel")}
      </Button>
      <Button type="submit" loading={pending} {...look}>
        {submit}
      </Button>
    </DialogFooter>
  );
}
