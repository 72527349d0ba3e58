import { useState } from "react";
import { suggestKey } from "./suggest-key.ts";

/** A key that follows the name until somebody types one; emptied, it follows again. */
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
