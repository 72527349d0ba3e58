import { Button, Menu } from "@mantine/core";
import {
  IconCalendarClock,
  IconChevronDown,
  IconGitPullRequest,
  IconShieldOff,
  IconStairsUp,
} from "@tabler/icons-react";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import type { Way } from "./ways-to-save.ts";

const WAYS = {
  schedule: { Icon: IconCalendarClock, label: "schedule.open" },
  add: { Icon: IconGitPullRequest, label: "changeRequests.add.open" },
  ramp: { Icon: IconStairsUp, label: "ramps.open" },
  bypass: { Icon: IconShieldOff, label: "changeRequests.bypass" },
} as const;

export type OtherWay = keyof typeof WAYS & Way;

interface Props {
  ways: readonly OtherWay[];
  /** Whether a ramp can make the change. */
  canRamp: boolean;
  isPending: boolean;
  onChoose: (way: OtherWay) => void;
}

/** A button beside the save button. Its menu has the other things to do with the changes. */
export function SaveMenu({ ways, canRamp, isPending, onChoose }: Props) {
  const { t } = useTranslation();
  return (
    <Menu position="top-end">
      <Menu.Target>
        <Button px={10} disabled={isPending} aria-label={t("flagPage.otherWays")}>
          <IconChevronDown size={16} stroke={1.75} aria-hidden />
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {ways.map((way) => {
          const { Icon, label } = WAYS[way];
          return (
            <Menu.Item
              key={way}
              leftSection={<Icon size={16} stroke={1.75} aria-hidden />}
              disabled={way === "ramp" && !canRamp}
              onClick={() => onChoose(way)}
            >
              {t(label)}
            </Menu.Item>
          );
        })}
        {!canRamp && <Menu.Label maw={260}>{t("ramps.onlyPercentage")}</Menu.Label>}
      </Menu.Dropdown>
    </Menu>
  );
}
