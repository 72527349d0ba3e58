import { useRouter } from "@tanstack/react-router";
import { type RefObject, useEffect } from "react";

/**
 * After navigation, focuses the heading of the new page: a screen reader reads the heading, and Tab
 * continues from there. PageHeader handles a heading that renders later.
 */
export function usePageFocus(main: RefObject<HTMLElement | null>) {
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe("onRendered", ({ fromLocation, pathChanged }) => {
        if (!fromLocation || !pathChanged) return;
        const heading = main.current?.querySelector("h1");
        // The router restores the scroll position.
        (heading ?? main.current)?.focus({ preventScroll: true });
      }),
    [router, main],
  );
}
