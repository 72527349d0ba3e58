import { useState } from "react";

const KEY = "feature-flags.closed-groups";

/** The groups of the navigation that the user has closed. This browser remembers them. */
export function useClosedGroups() {
  const [closed, setClosed] = useState(readClosed);
  return {
    isClosed: (group: string): boolean => closed.includes(group),
    toggle: (group: string): void => {
      const next = closed.includes(group)
        ? closed.filter((name) => name !== group)
        : [...closed, group];
      setClosed(next);
      localStorage.setItem(KEY, next.join(" "));
    },
  };
}

const readClosed = (): readonly string[] => (localStorage.getItem(KEY) ?? "").split(" ");
