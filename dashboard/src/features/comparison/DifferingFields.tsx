import { Badge } from "@mantine/core";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import type { StrategyField } from "../../shared/strategy/fields.tsx";
import classes from "./DifferingFields.module.css";

export function DifferingFields({ fields }: { fields: readonly StrategyField[] }) {
  const { t } = useTranslation();
  if (fields.length === 0)
    return (
      <Badge size="sm" radius="sm" tt="none" variant="default" className={classes.same}>
        {t("comparison.same")}
      </Badge>
    );
  return (
    <ul aria-label={t("comparison.fields")} className={classes.fields}>
      {fields.map((field) => (
        <li key={field}>
          <Badge size="sm" radius="sm" tt="none" className={classes.field}>
            {t(`strategy.${field}.label`)}
          </Badge>
        </li>
      ))}
    </ul>
  );
}
