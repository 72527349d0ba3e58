import { useRef } from "react";
import { suggestKey } from "./suggest-key.ts";

/**
 * Handlers for the name input and the key input of a new flag. The key input follows the name until
 * the user types a key, and again after the user has emptied the key input.
 */
export function useSuggestedKey(setKey: (key: string) => void) {
  /** The name from which the key input takes its key. Undefined while the user's own key is there. */
  const source = useRef<string | undefined>("");
  const suggest = async (name: string) => {
    const key = await suggestKey(name);
    // The user may have typed on while the transliteration loaded.
    if (source.current === name) setKey(key);
  };
  return {
    onName: (name: string) => {
      if (source.current === undefined) return;
      source.current = name;
      void suggest(name);
    },
    onKey: (key: string) => {
      setKey(key);
      source.current = key === "" ? "" : undefined;
    },
  };
}
