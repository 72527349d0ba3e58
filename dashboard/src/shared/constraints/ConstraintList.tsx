import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Constraint } from "../api/types.ts";
import { useFormat } from "../i18n/use-format.ts";
import classes from "./ConstraintList.module.css";
import { conditionText } from "./constraint-text.ts";

interface Props {
  constraints: readonly Constraint[];
  /** Maximum number of lines; default: all. */
  max?: number;
  /** Text for an empty list. */
  empty?: string;
}

/** Constraints as a read-only list, one line each. */
export function ConstraintList({ constraints, max = Infinity, empty }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  if (constraints.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {empty ?? t("constraints.none")}
      </Text>
    );
  // Show the last constraint instead of a line "1 more".
  const shown = constraints.length > max + 1 ? constraints.slice(0, max) : constraints;
  return (
    <ul className={classes.list}>
      {shown.map((constraint, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- they have nothing else, and stay put
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
