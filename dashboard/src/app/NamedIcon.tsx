import { type ReactElement, Suspense } from "react";
import { lazyPart } from "../shared/lazy.ts";
import { useIsCollapsed } from "./use-collapsed.ts";

const SideTip = lazyPart(async () => (await import("./lazy-parts.ts")).SideTip);

interface Props {
  name: string;
  /** A link or a button whose accessible name is `name`. */
  children: ReactElement;
}

/** Gives its child a tooltip while the navigation shows only icons. */
export function NamedIcon({ name, children }: Props) {
  if (!useIsCollapsed()) return children;
  return (
    <Suspense fallback={children}>
      <SideTip label={name}>{children}</SideTip>
    </Suspense>
  );
}
