import { useRouter } from "@tanstack/react-router";
import { type RefObject, useEffect } from "react";

/**
 * After a link was followed the focus is on the heading of the new page, so that a screen reader says
 * where one is, and Tab goes on from there. A heading that comes later takes it itself (PageHeader).
 */
export function usePageFocus(main: RefObject<HTMLElement | null>) {
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe("onRendered", ({ fromLocation, pathChanged }) => {
        if (!fromLocation || !pathChanged) return;
        const heading = main.current?.querySelector("h1");
        // The router sees to where the page is scrolled to.
        (heading ?? main.current)?.focus({ preventScroll: true });
      }),
    [router, main],
  );
}
