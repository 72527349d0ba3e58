import { createContext, use, useState } from "react";

/** public/boot.js reads the same key, so that the placeholder of the page has the same width. */
const KEY = "feature-flags.navigation";

/** Whether the navigation shows only icons. Always false on narrow screens. */
export const CollapsedContext = createContext(false);

/** The width of a menu whose button is only an icon, pixels. */
export const MENU_WIDTH = 240;

export const useIsCollapsed = (): boolean => use(CollapsedContext);

/** Whether the user has collapsed the navigation to icons. This browser remembers it. */
export function useCollapsed() {
  const [isCollapsed, setCollapsed] = useState(() => localStorage.getItem(KEY) === "collapsed");
  const toggle = () => {
    setCollapsed(!isCollapsed);
    localStorage.setItem(KEY, isCollapsed ? "expanded" : "collapsed");
  };
  return [isCollapsed, toggle] as const;
}
