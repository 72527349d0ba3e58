import { Text } from "@mantine/core";
import type { FlagWithRelated, Prerequisite } from "../../../shared/api/types.ts";
import { useFormat } from "../../../shared/i18n/use-format.ts";
import { useTranslation } from "../../../shared/i18n/use-translation.ts";
import { FlagLink } from "./FlagLink.tsx";
import classes from "./Prerequisites.module.css";

/** The flags that a flag requires, and how each must answer. */
export function PrerequisiteList({ flag }: { flag: FlagWithRelated }) {
  const { t } = useTranslation();
  const demand = useDemand();
  const { prerequisites } = flag;
  if (prerequisites.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t("prerequisites.none")}
      </Text>
    );
  return (
    <ul className={classes.list} aria-label={t("prerequisites.title")}>
      {prerequisites.map((prerequisite) => (
        <li key={prerequisite.flagKey} className={classes.item}>
          <FlagLink from={flag} flagKey={prerequisite.flagKey} />{" "}
          <Text span size="sm">
            {demand(prerequisite)}
          </Text>
        </li>
      ))}
    </ul>
  );
}

/** Returns a function that says how a required flag must answer, such as `is on`. */
function useDemand(): (prerequisite: Prerequisite) => string {
  const { t } = useTranslation();
  const { either } = useFormat();
  return ({ enabled, variants }) => {
    if (variants === undefined) return t(enabled ? "prerequisites.isOn" : "prerequisites.isOff");
    const words = { variants: either(variants) };
    return t(enabled ? "prerequisites.serves" : "prerequisites.isOffServing", words);
  };
}
