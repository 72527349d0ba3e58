import { IconSearch } from "@tabler/icons-react";
import { useTranslation } from "../shared/i18n/use-translation.ts";
import classes from "./PalettePlaceholder.module.css";

export interface PaletteProps {
  opened: boolean;
  onClose: () => void;
  onHelp: () => void;
}

/** What the user has typed into the placeholder. */
let typed = "";

/** Returns what the user has typed into the placeholder, and forgets it. */
export function takeTyped(): string {
  const text = typed;
  typed = "";
  return text;
}

/** The input of the command palette until the palette's code has loaded. It keeps what is typed. */
export function PalettePlaceholder({ opened, onClose }: PaletteProps) {
  const { t } = useTranslation();
  if (!opened) return null;
  return (
    <div className={classes.box}>
      <IconSearch size={18} stroke={1.75} aria-hidden />
      <input
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the user has just opened the palette
        autoFocus
        className={classes.input}
        aria-label={t("shell.search")}
        placeholder={t("shell.searchHint")}
        defaultValue={typed}
        onChange={({ currentTarget }) => (typed = currentTarget.value)}
        onKeyDown={({ key }) => {
          if (key !== "Escape") return;
          takeTyped();
          onClose();
        }}
      />
    </div>
  );
}
