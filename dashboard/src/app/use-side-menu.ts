import { useDisclosure, useHotkeys, useMediaQuery } from "@mantine/hooks";
import { useRouter } from "@tanstack/react-router";
import { useEffect, useRef } from "react";

/** Where Shell.module.css puts the navigation behind a button. */
const NARROW = "(max-width: 62em)";

/** The navigation on narrow screens: it opens over the page, and the focus goes in and back out. */
export function useSideMenu() {
  const router = useRouter();
  const isNarrow = useMediaQuery(NARROW);
  const [opened, { toggle, close }] = useDisclosure(false);
  const button = useRef<HTMLButtonElement>(null);
  const side = useRef<HTMLElement>(null);
  const isOpen = opened && isNarrow;

  useEffect(() => router.subscribe("onBeforeLoad", close), [router, close]);
  useEffect(() => {
    if (isOpen) side.current?.querySelector<HTMLElement>("a, button")?.focus();
  }, [isOpen]);

  const leave = () => {
    // A list that was opened from it hangs elsewhere in the document, and closes by itself.
    const focused = document.activeElement;
    if (!isOpen || !(side.current?.contains(focused) || button.current === focused)) return;
    close();
    button.current?.focus();
  };
  useHotkeys([["Escape", leave, { preventDefault: false }]]);

  return { isOpen, toggle, close, button, side };
}
