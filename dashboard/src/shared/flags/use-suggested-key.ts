import { useState } from "react";
import { suggestKey } from "./suggest-key.ts";

/**
 * Suggests a key from the name until the user types a key. Suggests again when the key is emptied.
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
