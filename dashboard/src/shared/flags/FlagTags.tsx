import type { Schemas } from "../api/types.ts";
import { useTranslation } from "../i18n/use-translation.ts";
import classes from "./FlagBadges.module.css";

/** The colour is a dot beside the text, so that the text is readable whatever the colour. */
export function FlagTags({ tags }: { tags: readonly Schemas["FlagTag"][] }) {
  const { t } = useTranslation();
  if (tags.length === 0) return null;
  return (
    <ul className={classes.tags} aria-label={t("flags.tags")}>
      {tags.map(({ id, name, value, color }) => (
        <li key={`${id} ${value}`} className={classes.tag}>
          <span className={classes.dot} style={{ backgroundColor: color }} aria-hidden />
          {value === name ? name : `${name}: ${value}`}
        </li>
      ))}
    </ul>
  );
}
