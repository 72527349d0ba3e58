import { Badge } from "@mantine/core";
import {
  IconArchive,
  IconEyeOff,
  IconHourglassEmpty,
  IconPower,
  IconRocket,
} from "@tabler/icons-react";
import { useStaleDays } from "../data/projects.ts";
import type { Flag } from "../api/types.ts";
import { useTranslation } from "../i18n/use-translation.ts";
import classes from "./FlagBadges.module.css";

const ICON = { size: 13, stroke: 2, "aria-hidden": true } as const;

/** A kill switch stands out: switching it off disables a feature for everyone. */
export function FlagTypeBadge({ type }: { type: Flag["flagType"] }) {
  const { t } = useTranslation();
  const isKill = type === "KILLSWITCH";
  return (
    <Badge
      className={isKill ? classes.kill : classes.quiet}
      data-shrinks
      title={t(isKill ? "flags.killSwitch" : "flags.release")}
      leftSection={isKill ? <IconPower {...ICON} /> : <IconRocket {...ICON} />}
    >
      {t(isKill ? "flags.killSwitch" : "flags.release")}
    </Badge>
  );
}

/** A badge with the type of a flag's values. Nothing for a flag that is on or off. */
export function ValueTypeBadge({ type }: { type: Flag["valueType"] }) {
  const { t } = useTranslation();
  if (type === "boolean") return null;
  return (
    <Badge className={classes.quiet} data-minor>
      {t(`flags.valueTypes.${type}`)}
    </Badge>
  );
}

/** A badge that marks a flag which browsers do not get. Nothing for any other flag. */
export function FlagClientsBadge({ clients }: Pick<Flag, "clients">) {
  const { t } = useTranslation();
  if (clients === "all") return null;
  return (
    <Badge
      className={classes.quiet}
      leftSection={<IconEyeOff {...ICON} />}
      title={t("flags.serversOnlyHint")}
    >
      {t("flags.serversOnly")}
    </Badge>
  );
}

/** The same as an icon, for a list. */
export function FlagClientsIcon({ clients }: Pick<Flag, "clients">) {
  const { t } = useTranslation();
  if (clients === "all") return null;
  return (
    <span
      role="img"
      aria-label={t("flags.serversOnly")}
      title={t("flags.serversOnlyHint")}
      className={classes.icon}
    >
      <IconEyeOff {...ICON} />
    </span>
  );
}

/** A badge that marks a flag as archived or stale. Nothing for any other flag. */
export function FlagLifecycleBadge({
  flag,
}: {
  flag: Pick<Flag, "stale" | "archived" | "projectId">;
}) {
  const { t } = useTranslation();
  const days = useStaleDays(flag.projectId);
  if (flag.archived)
    return (
      <Badge className={classes.quiet} leftSection={<IconArchive {...ICON} />}>
        {t("flags.archived")}
      </Badge>
    );
  if (!flag.stale) return null;
  return (
    <Badge
      className={classes.stale}
      leftSection={<IconHourglassEmpty {...ICON} />}
      title={t("flags.staleHint", { count: days })}
    >
      {t("flags.stale")}
    </Badge>
  );
}
