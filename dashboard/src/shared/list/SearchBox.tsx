import { CloseButton, Loader, TextInput, type TextInputProps } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "../i18n/use-translation.ts";

/** How long the user must pause before the search starts, in milliseconds. */
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
 * typing does not wait for the list to render.
 */
export function SearchBox({
  value,
  onSearch,
  label,
  placeholder = label,
  maxWidth,
  isSearching = false,
}: Props) {
  const { typed, type } = useTypedSearch(value, onSearch);
  return (
    <SearchInput
      type="search"
      aria-label={label}
      placeholder={placeholder}
      maw={maxWidth}
      value={typed}
      onType={type}
      isSearching={isSearching}
    />
  );
}

/**
 * The text that the user types, and a function that changes it. Calls `onSearch` with the words to search
 * for, which are the trimmed text by default, when the user pauses.
 */
export function useTypedSearch(value: string, onSearch: (search: string) => void) {
  const [typed, setTyped] = useState(value);
  const sent = useRef(value);
  const send = useDebouncedCallback((words: string) => {
    sent.current = words;
    onSearch(words);
  }, DEBOUNCE_MS);

  // Show a `value` that the parent component has changed, for example when the user cleared all
  // filters or went back in the browser history.
  useEffect(() => {
    if (value === sent.current) return;
    sent.current = value;
    send.cancel();
    setTyped(value);
  }, [value, send]);

  const type = (text: string, words = text.trim()) => {
    setTyped(text);
    send(words);
  };
  return { typed, type };
}

interface SearchInputProps extends Omit<TextInputProps, "maw"> {
  value: string;
  onType: (text: string) => void;
  isSearching: boolean;
  maw?: string | undefined;
}

/** The input of a search, with a button that empties it. */
export function SearchInput({ value, onType, isSearching, maw, ...props }: SearchInputProps) {
  const { t } = useTranslation();
  return (
    <TextInput
      maxLength={200}
      value={value}
      onChange={({ currentTarget }) => onType(currentTarget.value)}
      leftSection={<IconSearch size={16} stroke={1.75} aria-hidden />}
      rightSection={
        isSearching ? (
          <Loader size={16} aria-hidden />
        ) : (
          value !== "" && (
            <CloseButton aria-label={t("common.clearSearch")} onClick={() => onType("")} />
          )
        )
      }
      {...props}
      {...(maw !== undefined && { maw })}
    />
  );
}
