import { QueryClientProvider, MutationCache, QueryClient } from "@tanstack/react-query";
import { RouterContextProvider, RouterProvider } from "@tanstack/react-router";
import { Suspense, useEffect, useState } from "react";
import { ApiError } from "../shared/api/api-error.ts";
import { switchLanguage } from "../shared/i18n/i18n.ts";
import { languageOf } from "../shared/i18n/language.ts";
import { lazyPart } from "../shared/lazy.ts";
import { CurrentSessionProvider } from "../shared/session/current-session.tsx";
import type { Session } from "../shared/session/session-store.ts";
import { updateDeadline } from "../shared/session/update-session.ts";
import { isPast } from "../shared/time.ts";
import { createAppRouter } from "./router.tsx";

const Dialogs = lazyPart(async () => (await import("./lazy-parts.ts")).Dialogs);

/** The dashboard of one signed-in user. Each user gets a separate query cache (React Query). */
export function SignedInApp({ session }: { session: Session }) {
  const [queryClient] = useState(createQueryClient);
  const [router] = useState(() => createAppRouter(queryClient));
  const { accessToken, user, mfaEnrollmentDeadline: deadline } = session;
  useEffect(() => {
    void switchLanguage(languageOf(user.locale));
  }, [user.locale]);
  useEffect(() => {
    // Refetch all failed queries (React Query). Queries that failed because the session had ended
    // succeed now.
    void queryClient.invalidateQueries({ predicate: ({ state }) => state.status === "error" });
    // Ignore an error while loading the deadline for setting up a second factor. The deadline is
    // loaded again after the next token renewal.
    updateDeadline(user.id).catch(() => {});
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- `accessToken` is a dependency so that the effect runs after every sign-in and every token renewal
  }, [queryClient, accessToken, user.id]);
  useEffect(() => {
    // After the deadline for setting up a second factor, the API rejects all requests of the user
    // except those about the user's own account.
    if (deadline !== undefined && isPast(deadline))
      void router.navigate({ to: "/profile/security" });
  }, [router, deadline]);
  return (
    <CurrentSessionProvider session={session}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
        {/* The dialogs are beside the pages. Their links need the router, too. */}
        <RouterContextProvider router={router}>
          <Suspense>
            <Dialogs />
          </Suspense>
        </RouterContextProvider>
      </QueryClientProvider>
    </CurrentSessionProvider>
  );
}

/**
 * Whether React Query retries a failed query. A query is retried up to twice if no response
 * arrived, the status is 5xx, or the error is not an ApiError. Client errors (4xx) are not retried.
 */
const shouldRetry = (failures: number, error: Error): boolean =>
  failures < 2 && (!(error instanceof ApiError) || error.status === 0 || error.status >= 500);

/**
 * Creates the React Query client of one signed-in user. After every successful mutation, all
 * queries on the page are refetched, so that no list is outdated.
 */
function createQueryClient(): QueryClient {
  const client: QueryClient = new QueryClient({
    defaultOptions: {
      queries: { staleTime: 5_000, retry: shouldRetry, networkMode: "always" },
      mutations: { networkMode: "always" },
    },
    mutationCache: new MutationCache({
      onSuccess: () => client.invalidateQueries(),
    }),
  });
  return client;
}
