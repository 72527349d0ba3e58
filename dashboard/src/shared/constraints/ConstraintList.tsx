import { Text } from "@mantine/core";
import type { Constraint } from "../api/types.ts";
import { useFormat } from "../i18n/use-format.ts";
import { useTranslation } from "../i18n/use-translation.ts";
import classes from "./ConstraintList.module.css";
import { conditionText } from "./constraint-text.ts";

interface Props {
  constraints: readonly Constraint[];
  /**
   * The number of constraints to show. If the list has only one more constraint, that constraint is
   * shown too. By default, all constraints are shown.
   */
  max?: number;
  /** The text to show if there are no constraints. By default a text that says so. */
  empty?: string;
}

export function ConstraintList({ constraints, max = Infinity, empty }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  if (constraints.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {empty ?? t("constraints.none")}
      </Text>
    );
  // If `max` would hide a single constraint, show the constraint instead of a line "1 more".
  const shown = constraints.length > max + 1 ? constraints.slice(0, max) : constraints;
  return (
    <ul className={classes.list}>
      {shown.map((constraint, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- constraints have no id, and their order does not change while they are shown
        <Text key={index} component="li" size="sm">
          <Text span inherit fw={600}>
            {constraint.field}
          </Text>{" "}
          {conditionText(t, constraint, format)}
        </Text>
      ))}
      {shown.length < constraints.length && (
        <Text component="li" size="sm" c="dimmed">
          {t("constraints.andMore", { count: constraints.length - shown.length })}
        </Text>
      )}
    </ul>
  );
}
