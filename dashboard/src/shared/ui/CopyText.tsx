import { Button, type ButtonProps, CopyButton } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useTranslation } from "../i18n/use-translation.ts";

interface Props extends Pick<ButtonProps, "size" | "variant"> {
  value: string;
  /** The text of the button. The default is "Copy", translated. */
  text?: string;
  /** The accessible name, if the text does not say what the button copies. */
  label?: string;
  onCopied?: () => void;
  /** True if the button takes the focus when the modal around it opens. */
  "data-autofocus"?: boolean;
}

/** Copies `value` to the clipboard and then shows "Copied" for two seconds. */
export function CopyText({ value, text, label, onCopied, ...look }: Props) {
  const { t } = useTranslation();
  return (
    <CopyButton value={value} timeout={2000}>
      {({ copied, copy }) => (
        <Button
          variant="default"
          leftSection={
            copied ? (
              <IconCheck size={16} stroke={1.75} aria-hidden />
            ) : (
              <IconCopy size={16} stroke={1.75} aria-hidden />
            )
          }
          aria-label={copied ? undefined : label}
          aria-live="polite"
          onClick={() => {
            copy();
            onCopied?.();
          }}
          {...look}
        >
          {copied ? t("common.copied") : (text ?? t("common.copy"))}
        </Button>
      )}
    </CopyButton>
  );
}
