import { memo, useEffect, useRef } from "react";
import { useTranslation } from "../../../shared/i18n/use-translation.ts";
import classes from "./FlagCheckbox.module.css";
import type { SelectedFlag, Toggle, Selection } from "./selection.ts";

interface Props {
  flag: SelectedFlag;
  isSelected: boolean;
  onToggle: (toggle: Toggle) => void;
}

/**
 * The checkbox that selects a flag. With the shift key, a click selects all flags from the last
 * click on. It is a plain input, because a list has up to 50 of them.
 */
export const FlagCheckbox = memo(function FlagCheckbox({ flag, isSelected, onToggle }: Props) {
  const { t } = useTranslation();
  return (
    <label className={classes.target} data-select>
      <input
        type="checkbox"
        className={classes.box}
        aria-label={t("flags.select", { flag: flag.name })}
        checked={isSelected}
        onChange={({ currentTarget, nativeEvent }) => {
          const { id, name, archived } = flag;
          onToggle({
            flag: { id, name, archived },
            isOn: currentTarget.checked,
            isRange: nativeEvent instanceof MouseEvent && nativeEvent.shiftKey,
          });
        }}
      />
    </label>
  );
});

interface PageCheckboxProps {
  flags: readonly SelectedFlag[];
  selection: Pick<Selection, "chosen" | "set">;
}

export function PageCheckbox({ flags, selection: { chosen, set } }: PageCheckboxProps) {
  const { t } = useTranslation();
  const box = useRef<HTMLInputElement>(null);
  const selected = flags.filter(({ id }) => chosen.has(id)).length;
  const isAll = selected === flags.length;
  useEffect(() => {
    // Sets the state "indeterminate" by script, because HTML has no attribute for it.
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
