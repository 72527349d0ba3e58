import { Button, Text } from "@mantine/core";
import { useState } from "react";
import type { FlagWithRelated } from "../../../shared/api/types.ts";
import { useTranslation } from "../../../shared/i18n/use-translation.ts";
import { FlagLink } from "./FlagLink.tsx";
import classes from "./Prerequisites.module.css";

/** The number of flags that are shown at first, and that a click on the button adds. */
const SHOWN = 10;

/** The flags that require a flag. Nothing if there are none. */
export function RequiredBy({ flag }: { flag: FlagWithRelated }) {
  const { t } = useTranslation();
  const [shown, setShown] = useState(SHOWN);
  const { requiredBy } = flag;
  if (requiredBy.length === 0) return null;
  const hidden = requiredBy.length - shown;
  return (
    <div className={classes.requiredBy}>
      <Text size="sm" fw={600} id="required-by">
        {t("prerequisites.requiredBy")}
      </Text>
      <Text size="sm" c="dimmed" mb="xs">
        {t("prerequisites.requiredByHint")}
      </Text>
      <ul className={classes.list} aria-labelledby="required-by">
        {requiredBy.slice(0, shown).map((flagKey) => (
          <li key={flagKey} className={classes.item}>
            <FlagLink from={flag} flagKey={flagKey} />
          </li>
        ))}
      </ul>
      {hidden > 0 && (
        <Button
          variant="subtle"
          size="compact-sm"
          mt={4}
          onClick={() => setShown(shown + Math.min(hidden, SHOWN))}
        >
          {t("prerequisites.more", { count: Math.min(hidden, SHOWN) })}
        </Button>
      )}
    </div>
  );
}
