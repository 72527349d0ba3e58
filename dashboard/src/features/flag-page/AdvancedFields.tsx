import { Button, Group } from "@mantine/core";
import { IconChevronDown, IconChevronRight } from "@tabler/icons-react";
import { type ReactNode, useId, useState } from "react";
import { useTranslation } from "../../shared/i18n/use-translation.ts";

interface Props {
  /** Whether one of the fields has a value. The fields are then visible from the start. */
  isUsed: boolean;
  /** Whether one of the fields has an error. The fields stay visible then. */
  hasErrors: boolean;
  /** A further button that only few users need, in the same row. */
  beside: ReactNode;
  children: ReactNode;
}

/** A button that shows the inputs which few users need. */
export function AdvancedFields({ isUsed, hasErrors, beside, children }: Props) {
  const { t } = useTranslation();
  const id = useId();
  const [isWanted, setIsWanted] = useState(isUsed);
  const isOpen = isWanted || hasErrors;
  const Icon = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <div>
      <Group justify="space-between">
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          ml={-8}
          leftSection={<Icon size={16} stroke={1.75} aria-hidden />}
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setIsWanted(!isOpen)}
        >
          {t("rules.advanced")}
        </Button>
        {beside}
      </Group>
      <div id={id}>{isOpen && children}</div>
    </div>
  );
}
