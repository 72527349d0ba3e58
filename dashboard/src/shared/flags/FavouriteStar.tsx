import { IconStar, IconStarFilled } from "@tabler/icons-react";
import { memo } from "react";
import type { Flag } from "../api/types.ts";
import { useTranslation } from "../i18n/use-translation.ts";
import classes from "./FavouriteStar.module.css";

interface Props {
  flag: Pick<Flag, "id" | "name">;
  isFavourite: boolean;
  onChange: (flagId: number, isFavourite: boolean) => void;
}

/** The button that makes a flag a favourite. It is a plain button, because a list has up to 50. */
export const FavouriteStar = memo(function FavouriteStar({ flag, isFavourite, onChange }: Props) {
  const { t } = useTranslation();
  const Icon = isFavourite ? IconStarFilled : IconStar;
  return (
    <button
      type="button"
      className={classes.star}
      aria-pressed={isFavourite}
      aria-label={t("flags.favourite", { flag: flag.name })}
      onClick={() => onChange(flag.id, !isFavourite)}
    >
      <Icon size={16} aria-hidden />
    </button>
  );
});
