import { type Ref, type RefCallback, useCallback } from "react";

/**
 * A hook that returns one ref for several. Replaces the hook of the same name in @floating-ui/react
 * for Mantine's `ScrollArea` (vite.config.ts), so that a table does not load that library.
 */
export function useMergeRefs<T>(refs: readonly (Ref<T> | undefined)[]): RefCallback<T> {
  return useCallback(
    (node: T | null) => {
      for (const ref of refs)
        if (typeof ref === "function") ref(node);
        else if (ref) ref.current = node;
    },
    // oxlint-disable-next-line react/exhaustive-deps -- The number of refs does not change.
    refs,
  );
}
