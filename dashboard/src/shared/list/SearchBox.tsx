import { CloseButton, Loader } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "../i18n/use-translation.ts";
import field from "../ui/field.module.css";
import classes from "./SearchBox.module.css";

/**
 * The search starts after a pause in typing of this many milliseconds, which is longer than the
 * usual gap between two key presses.
 */
const DEBOUNCE_MS = 200;

interface Props {
  value: string;
  onSearch: (search: string) => void;
  /** The accessible name, which says what the user searches for and where. */
  label: string;
  /** The visible placeholder. By default it is the `label`. */
  placeholder?: string;
  /** A CSS length. By default the search box is as wide as its container. */
  maxWidth?: string;
  /** True while a search is running. The search box shows a spinner then. */
  isSearching?: boolean;
}

/**
 * A search input. Calls `onSearch` with the trimmed text only when the user pauses typing, so that
 * typing does not wait for the list to render. Not a `TextInput` of Mantine, so that the list of
 * flags does not load Mantine's inputs (6 KB) before it is shown.
 */
export function SearchBox({
  value,
  onSearch,
  label,
  placeholder = label,
  maxWidth,
  isSearching = false,
}: Props) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState(value);
  const sent = useRef(value);
  const send = useDebouncedCallback((text: string) => {
    sent.current = text.trim();
    onSearch(sent.current);
  }, DEBOUNCE_MS);

  // Show a `value` that the parent component has changed, for example when the user cleared all
  // filters or went back in the browser history.
  useEffect(() => {
    if (value === sent.current) return;
    sent.current = value;
    send.cancel();
    setTyped(value);
  }, [value, send]);

  const type = (text: string) => {
    setTyped(text);
    send(text);
  };

  return (
    <div className={classes.box} style={{ maxWidth }}>
      <IconSearch size={16} stroke={1.75} className={classes.icon} aria-hidden />
      <input
        type="search"
        className={`${field.field} ${classes.input}`}
        aria-label={label}
        placeholder={placeholder}
        maxLength={200}
        value={typed}
        onChange={({ currentTarget }) => type(currentTarget.value)}
      />
      <span className={classes.end}>
        {isSearching ? (
          <Loader size={16} aria-hidden />
        ) : (
          typed !== "" && (
            <CloseButton aria-label={t("common.clearSearch")} onClick={() => type("")} />
          )
        )}
      </span>
    </div>
  );
}
