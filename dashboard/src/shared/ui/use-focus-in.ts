import { useEffect, useRef, useState } from "react";

/**
 * Returns a ref for an element, and a function that focuses the first element inside that matches a
 * CSS selector. The focus moves after the next rendering, so the match may be new.
 */
export function useFocusIn<E extends HTMLElement>() {
  const root = useRef<E>(null);
  const [request, setRequest] = useState<{ selector: string }>();
  useEffect(() => {
    if (request) root.current?.querySelector<HTMLElement>(request.selector)?.focus();
  }, [request]);
  return { root, focus: (selector: string) => setRequest({ selector }) };
}

/** Matches the inputs whose value is invalid. */
export const INVALID = "[aria-invalid=true], [data-invalid][data-json-editor]";
