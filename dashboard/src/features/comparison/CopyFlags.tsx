import { Button, Text } from "@mantine/core";
import { IconCopy } from "@tabler/icons-react";
import type { Environment } from "../../shared/api/types.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { FormModal } from "../../shared/ui/FormModal.tsx";
import { useDialog } from "../../shared/ui/use-dialog.ts";
import { MAX_BULK_FLAGS } from "../../shared/flags/max-bulk-flags.ts";
import type { ComparedFlag } from "./comparison-query.ts";
import { CopyForm } from "./CopyForm.tsx";

interface Props {
  flags: readonly ComparedFlag[];
  /** All flags of the comparison as they were last loaded. */
  current: readonly ComparedFlag[];
  from: Environment;
  to: Environment;
  onCopied: () => void;
}

/** A button that opens a dialog, which shows what will be copied and copies it. */
export function CopyFlags({ flags, current, from, to, onCopied }: Props) {
  const { t } = useTranslation();
  // The dialog keeps what the user has seen, even if the comparison is loaded again meanwhile.
  const { subject, isOpen, open, close } = useDialog<readonly ComparedFlag[]>();
  const names = { from: from.name, to: to.name };
  return (
    <>
      {flags.length > MAX_BULK_FLAGS && (
        <Text size="sm" c="red" role="alert">
          {t("bulk.tooMany", { count: MAX_BULK_FLAGS })}
        </Text>
      )}
      {flags.length > 0 && (
        <Button
          ms="auto"
          leftSection={<IconCopy size={16} stroke={1.75} aria-hidden />}
          disabled={flags.length > MAX_BULK_FLAGS}
          onClick={() => open(flags)}
        >
          {t("comparison.copy", { count: flags.length, environment: to.name })}
        </Button>
      )}
      {subject && (
        <FormModal
          title={t("comparison.dialog.title", { ...names, count: subject.length })}
          opened={isOpen}
          onClose={close}
          size="lg"
          isConfirmation
        >
          <CopyForm
            flags={subject}
            current={current}
            from={from}
            to={to}
            onCancel={close}
            onCopied={() => {
              close();
              onCopied();
            }}
          />
        </FormModal>
      )}
    </>
  );
}
