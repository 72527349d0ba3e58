import { CloseButton, Loader, TextInput, type TextInputProps } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";

/** Shorter than a pause for thought, longer than the way to the next key. */
const PAUSE_MS = 200;

interface Props extends Pick<TextInputProps, "w" | "maw"> {
  value: string;
  onSearch: (search: string) => void;
  /** What is looked for, and where. */
  label: string;
  /** The same in the box, where it is not the label. */
  placeholder?: string;
  /** The answer to what was typed is on its way. */
  isSearching?: boolean;
}

/** Typing stays in here until it pauses, so that it never waits for the list. */
export function SearchBox({
  value,
  onSearch,
  label,
  placeholder = label,
  isSearching = false,
  ...width
}: Props) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState(value);
  const sent = useRef(value);
  const send = useDebouncedCallback((words: string) => {
    sent.current = words.trim();
    onSearch(sent.current);
  }, PAUSE_MS);

  // Changed elsewhere: all filters cleared, or a step back in the history.
  useEffect(() => {
    if (value === sent.current) return;
    sent.current = value;
    send.cancel();
    setTyped(value);
  }, [value, send]);

  const type = (words: string) => {
    setTyped(words);
    send(words);
  };

  return (
    <TextInput
      role="searchbox"
      aria-label={label}
      placeholder={placeholder}
      maxLength={200}
      {...width}
      value={typed}
      onChange={({ currentTarget }) => type(currentTarget.value)}
      leftSection={<IconSearch size={16} stroke={1.75} aria-hidden />}
      rightSection={
        isSearching ? (
          <Loader size={16} aria-hidden />
        ) : (
          typed !== "" && (
            <CloseButton aria-label={t("common.clearSearch")} onClick={() => type("")} />
          )
        )
      }
    />
  );
}
