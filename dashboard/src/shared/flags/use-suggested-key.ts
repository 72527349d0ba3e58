import { useState } from "react";
import { suggestKey } from "./suggest-key.ts";

/**
 * Handlers for the name input and the key input of a new flag. The key input follows the name until
 * the user types a key, and again after the user has emptied the key input.
 */
export function useSuggestedKey(setKey: (key: string) => void) {
  const [isOwn, setOwn] = useState(false);
  return {
    onName: (name: string) => {
      if (!isOwn) setKey(suggestKey(name));
    },
    onKey: (key: string) => {
      setKey(key);
      setOwn(key !== "");
    },
  };
}
