import { Text, VisuallyHidden } from "@mantine/core";
import { IconWorld } from "@tabler/icons-react";
import { useTranslation } from "../i18n/use-translation.ts";
import classes from "./ProductionStrip.module.css";

/** Marks a dialog that changes a production environment. Belongs below the dialog's title. */
export function ProductionStrip({ environment }: { environment: string }) {
  const { t } = useTranslation();
  return (
    <div className={classes.strip}>
      <IconWorld size={18} stroke={2} aria-hidden className={classes.icon} />
      <VisuallyHidden>{t("flag.production.environment")}</VisuallyHidden>
      <Text fw={600} size="sm" className={classes.name}>
        {environment}
      </Text>
      <Text size="sm" className={classes.effect}>
        {t("flag.production.effect")}
      </Text>
    </div>
  );
}
