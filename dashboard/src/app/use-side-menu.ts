import { useDisclosure, useHotkeys, useMediaQuery } from "@mantine/hooks";
import { useRouter } from "@tanstack/react-router";
import { useEffect, useRef } from "react";

/** The breakpoint in Shell.module.css below which a button opens the navigation. */
const NARROW = "(max-width: 62em)";

/**
 * The navigation of narrow screens. It opens over the page, takes the focus, and returns the focus
 * to its button when it closes.
 */
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
    // A dropdown opened from the menu is rendered in a portal, and handles Escape itself.
    const focused = document.activeElement;
    if (!isOpen || !(side.current?.contains(focused) || button.current === focused)) return;
    close();
    button.current?.focus();
  };
  useHotkeys([["Escape", leave, { preventDefault: false }]]);

  return { isOpen, toggle, close, button, side };
}
