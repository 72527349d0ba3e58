import type { QueryClient } from "@tanstack/react-query";
import { createRootRouteWithContext, notFound } from "@tanstack/react-router";
import { LoadFailed } from "./LoadFailed.tsx";
import { Shell } from "./Shell.tsx";

interface RouterContext {
  queryClient: QueryClient;
}

/** For a path parameter that is an id. Any other value renders the "not found" page. */
export const idParam = <Name extends string>(name: Name) => ({
  params: {
    parse: (params: Record<Name, string>) =>
      ({ [name]: Number(params[name]) }) as Record<Name, number>,
    stringify: (params: Record<Name, number>) =>
      ({ [name]: String(params[name]) }) as Record<Name, string>,
  },
  beforeLoad: ({ params }: { params: Record<Name, number> }) => {
    if (!Number.isSafeInteger(params[name]) || params[name] < 1) throw notFound();
  },
});

export const root = createRootRouteWithContext<RouterContext>()({
  component: Shell,
  errorComponent: LoadFailed,
});
