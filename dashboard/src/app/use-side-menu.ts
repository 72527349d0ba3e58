import { useDisclosure, useMediaQuery, useWindowEvent } from "@mantine/hooks";
import { useRouter } from "@tanstack/react-router";
import { useEffect, useRef } from "react";

/** 62em or narrower: a button opens the navigation. Shell.module.css has the same breakpoint. */
const NARROW = "(max-width: 62em)";

/**
 * The state of the navigation on narrow screens. The navigation opens over the page and takes the
 * focus. Escape closes the navigation and moves the focus to its button. Opening another page also
 * closes the navigation.
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
    if (!isOpen) return;
    const links = side.current?.querySelectorAll<HTMLElement>("a, button") ?? [];
    // The first one that is visible: the button that collapses the navigation is not.
    [...links].find((link) => link.checkVisibility())?.focus();
  }, [isOpen]);

  const leave = () => {
    // Ignore Escape while the focus is outside of the navigation. For example, the dropdown of the
    // project switcher is rendered in a portal and handles Escape itself.
    const focused = document.activeElement;
    if (!isOpen || !(side.current?.contains(focused) || button.current === focused)) return;
    close();
    button.current?.focus();
  };
  useWindowEvent("keydown", ({ key }) => {
    if (key === "Escape") leave();
  });

  return { isNarrow, isOpen, toggle, close, button, side };
}
