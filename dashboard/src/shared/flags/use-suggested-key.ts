import { useState } from "react";
import { suggestKey } from "./suggest-key.ts";

/**
 * Fills the key input with a key derived from the name until the user types a key. Starts again
 * when the user empties the key input.
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
