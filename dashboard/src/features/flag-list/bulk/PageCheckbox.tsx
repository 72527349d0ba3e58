import { useEffect, useRef } from "react";
import { useTranslation } from "../../../shared/i18n/use-translation.ts";
import classes from "./FlagCheckbox.module.css";
import type { SelectedFlag, Selection } from "./selection.ts";

interface Props {
  /** The flags on this page of the list. */
  flags: readonly SelectedFlag[];
  selection: Pick<Selection, "chosen" | "set">;
}

/** The checkbox that selects all flags on one page of the list. */
export function PageCheckbox({ flags, selection: { chosen, set } }: Props) {
  const { t } = useTranslation();
  const box = useRef<HTMLInputElement>(null);
  const selected = flags.filter(({ id }) => chosen.has(id)).length;
  const isAll = selected === flags.length;
  useEffect(() => {
    // HTML has no attribute for this state.
    if (box.current) box.current.indeterminate = selected > 0 && !isAll;
  });
  return (
    <label className={classes.target} data-select>
      <input
        ref={box}
        type="checkbox"
        className={classes.box}
        aria-label={t("flags.selectPage")}
        checked={isAll}
        onChange={() => set(flags, !isAll)}
      />
    </label>
  );
}
