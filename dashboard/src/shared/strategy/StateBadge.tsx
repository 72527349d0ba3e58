import { Badge } from "@mantine/core";
import { IconCheck, IconMinus } from "@tabler/icons-react";
import { useTranslation } from "../i18n/use-translation.ts";
import classes from "./StateBadge.module.css";

/**
 * A badge that says whether a flag is on. It has a text and an icon, so that users need not tell
 * colours apart.
 */
export function StateBadge({ isOn }: { isOn: boolean }) {
  const { t } = useTranslation();
  const Icon = isOn ? IconCheck : IconMinus;
  return (
    <Badge
      className={isOn ? classes.on : classes.off}
      leftSection={<Icon size={13} stroke={2.5} aria-hidden />}
    >
      {t(isOn ? "common.on" : "common.off")}
    </Badge>
  );
}
