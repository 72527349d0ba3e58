import { Button, Group, Text } from "@mantine/core";
import { IconPencil } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { ReasonInput } from "../../shared/ui/ReasonInput.tsx";
import { type OtherWay, SaveMenu } from "./SaveMenu.tsx";
import type { useWaysToSave } from "./ways-to-save.ts";
import classes from "./SaveBar.module.css";

interface Props {
  /** A sentence about the users who get another value. Undefined while that is unknown. */
  moves: string | undefined;
  isPending: boolean;
  onDiscard: () => void;
  ways: ReturnType<typeof useWaysToSave>;
  /** Whether a ramp can make the change. */
  canRamp: boolean;
  /** Called with a way from the menu. The save button submits the form. */
  onChoose: (way: OtherWay) => void;
  /** Undefined in production and with a protection, where the confirmation dialog asks for the reason. */
  reason?: { value: string; onChange: (reason: string) => void } | undefined;
}

/** Stays visible at the bottom of the strategy form while there are unsaved changes. */
export function SaveBar({ children }: { children: ReactNode }) {
  return <div className={classes.bar}>{children}</div>;
}

export function SaveActions(props: Props) {
  const { moves, isPending, onDiscard, ways, canRamp, onChoose, reason } = props;
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
        <Button.Group>
          <Button type="submit" loading={isPending}>
            {t(ways.usual === "propose" ? "flags.propose" : "common.save")}
          </Button>
          <SaveMenu
            ways={ways.others}
            canRamp={canRamp}
            isPending={isPending}
            onChoose={onChoose}
          />
        </Button.Group>
      </Group>
    </div>
  );
}
