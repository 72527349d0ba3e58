import { Button, Group, Text } from "@mantine/core";
import { IconPencil } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { ReasonInput } from "../../shared/ui/ReasonInput.tsx";
import classes from "./SaveBar.module.css";

interface Props {
  /** A sentence about the users who get another value. Undefined while that is unknown. */
  moves: string | undefined;
  isPending: boolean;
  onDiscard: () => void;
  onSchedule: () => void;
  /** Undefined in production, where the confirmation dialog asks for the reason. */
  reason?: { value: string; onChange: (reason: string) => void } | undefined;
}

/** Stays visible at the bottom of the strategy form while there are unsaved changes. */
export function SaveBar({ children }: { children: ReactNode }) {
  return <div className={classes.bar}>{children}</div>;
}

export function SaveActions({ moves, isPending, onDiscard, onSchedule, reason }: Props) {
  const { t } = useTranslation();
  return (
    <div className={classes.row}>
      <Group gap={6} wrap="nowrap" className={classes.words}>
        <IconPencil size={16} stroke={1.75} aria-hidden />
        <div>
          <Text size="sm" fw={600}>
            {t("flag.unsaved")}
          </Text>
          <Text size="xs" c="dimmed" role="status">
            {moves}
          </Text>
        </div>
      </Group>
      {reason && (
        <div className={classes.reason}>
          <ReasonInput {...reason} />
        </div>
      )}
      <Group gap="xs" wrap="nowrap">
        <Button variant="default" onClick={onDiscard} disabled={isPending}>
          {t("flag.discard")}
        </Button>
        <Button variant="default" onClick={onSchedule} disabled={isPending}>
          {t("schedule.open")}
        </Button>
        <Button type="submit" loading={isPending}>
          {t("common.save")}
        </Button>
      </Group>
    </div>
  );
}
