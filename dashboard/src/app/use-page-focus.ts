import { useRouter } from "@tanstack/react-router";
import { type RefObject, useEffect } from "react";
import { hideEarlierNotifications } from "../shared/ui/use-notify.tsx";

/**
 * After each navigation to another path, hides the notifications of the page before, and moves the focus to the heading of the new page. A screen
 * reader then reads the heading, and the Tab key continues from there. If the page has no heading
 * yet, <main> takes the focus, and PageHeader moves the focus when the heading renders.
 */
export function usePageFocus(main: RefObject<HTMLElement | null>) {
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe("onRendered", ({ fromLocation, pathChanged }) => {
        if (!fromLocation || !pathChanged) return;
        hideEarlierNotifications();
        const heading = main.current?.querySelector("h1");
        // Focus with `preventScroll`, because the router restores the scroll position.
        (heading ?? main.current)?.focus({ preventScroll: true });
      }),
    [router, main],
  );
}
