import { Button, type ButtonProps, CopyButton } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";

interface Props extends Pick<ButtonProps, "size" | "variant"> {
  value: string;
  /** What the button says; "Copy" without it. */
  words?: string;
  /** Names what is copied, where the words do not. */
  label?: string;
  onCopied?: () => void;
  /** Has the focus when its dialogue opens. */
  "data-autofocus"?: boolean;
}

/** A button that puts a text into the clipboard, and says for a moment that it did. */
export function CopyText({ value, words, label, onCopied, ...look }: Props) {
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
          {copied ? t("common.copied") : (words ?? t("common.copy"))}
        </Button>
      )}
    </CopyButton>
  );
}
