import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { isPageShown, markPageShown } from "../page-shown.ts";

/** How long no data may be loading before the page counts as shown, so that it is drawn, ms. */
const QUIET_MS = 50;
/** After this time the page counts as shown, even if its data is still loading, milliseconds. */
const LONGEST_MS = 3_000;

/** A hook that calls `markPageShown` when the first data of the page is shown. */
export function useMarkPageShown(): void {
  const client = useQueryClient();
  useEffect(() => {
    if (isPageShown()) return undefined;
    let quiet: ReturnType<typeof setTimeout> | undefined;
    const check = () => {
      clearTimeout(quiet);
      if (client.isFetching() === 0) quiet = setTimeout(markPageShown, QUIET_MS);
    };
    const longest = setTimeout(markPageShown, LONGEST_MS);
    const unsubscribe = client.getQueryCache().subscribe(check);
    check();
    return () => {
      clearTimeout(quiet);
      clearTimeout(longest);
      unsubscribe();
    };
  }, [client]);
}
