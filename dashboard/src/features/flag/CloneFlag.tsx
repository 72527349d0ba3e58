import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconCopyPlus } from "@tabler/icons-react";
import type { Flag } from "../../shared/api/types.ts";
import { CloneFlagModal } from "../../shared/flags/CloneFlagModal.tsx";
import { useTranslation } from "../../shared/i18n/use-translation.ts";

export function CloneFlag({ flag }: { flag: Flag }) {
  const { t } = useTranslation();
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconCopyPlus size={16} stroke={1.75} aria-hidden />}
        onClick={open}
      >
        {t("clone.open")}
      </Button>
      <CloneFlagModal key={flag.id} flag={flag} opened={isOpen} onClose={close} />
    </>
  );
}
