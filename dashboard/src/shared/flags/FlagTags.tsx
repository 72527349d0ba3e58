import { type RefObject, useEffect, useRef, useState } from "react";
import type { Schemas } from "../api/types.ts";
import { useTranslation } from "../i18n/use-translation.ts";
import classes from "./FlagBadges.module.css";

/** The colour is a dot beside the text, so that the text is readable whatever the colour. */
export function FlagTags({
  tags,
  ref,
}: {
  tags: readonly Tag[];
  ref?: RefObject<HTMLUListElement | null>;
}) {
  const { t } = useTranslation();
  if (tags.length === 0) return null;
  return (
    <ul ref={ref} className={classes.tags} aria-label={t("flags.tags")}>
      {tags.map((tag) => (
        <li key={`${tag.id} ${tag.value}`} className={classes.tag}>
          <span className={classes.dot} style={{ backgroundColor: tag.color }} aria-hidden />
          {textOf(tag)}
        </li>
      ))}
    </ul>
  );
}

type Tag = Schemas["FlagTag"];

const textOf = ({ name, value }: Tag): string => (value === name ? name : `${name}: ${value}`);

/**
 * The tags that fit in one line of a list whose style hides the others. A number says how many are hidden,
 * and its tooltip names all of them. Screen readers read the whole list anyway.
 */
export function FittingTags({ tags }: { tags: readonly Tag[] }) {
  const list = useRef<HTMLUListElement>(null);
  const [hidden, setHidden] = useState(0);
  const all = tags.map(textOf).join(", ");
  useEffect(() => {
    const { current } = list;
    if (!current || all === "") return undefined;
    const observer = new ResizeObserver(() => {
      const end = current.getBoundingClientRect().bottom;
      setHidden(
        [...current.children].filter((tag) => tag.getBoundingClientRect().top >= end).length,
      );
    });
    observer.observe(current);
    return () => observer.disconnect();
  }, [all]);
  return (
    <div className={classes.fitting}>
      <FlagTags tags={tags} ref={list} />
      {hidden > 0 && (
        <span className={classes.more} title={all} aria-hidden>
          +{hidden}
        </span>
      )}
    </div>
  );
}
