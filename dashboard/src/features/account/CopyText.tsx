import { Button, CopyButton } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";

/** `label` names what is copied. */
export function CopyText({ value, label }: { value: string; label: string }) {
  const { t } = useTranslation();
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <Button
          size="compact-sm"
          variant="default"
          leftSection={
            copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />
          }
          aria-label={copied ? t("common.copied") : label}
          aria-live="polite"
          onClick={copy}
        >
          {copied ? t("common.copied") : t("common.copy")}
        </Button>
      )}
    </CopyButton>
  );
}
