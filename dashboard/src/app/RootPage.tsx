import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { ModalsProvider } from "@mantine/modals";
import { lazy, Suspense, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { SignInAgain } from "../features/session/SignInAgain.tsx";
import { type Notice, SignInPage } from "../features/session/SignInPage.tsx";
import { createQueryClient } from "../shared/api/query-client.ts";
import { switchLanguage } from "../shared/i18n/i18n.ts";
import { languageOf } from "../shared/i18n/language.ts";
import { CurrentSessionProvider } from "../shared/session/current-session.tsx";
import { isPast } from "../shared/time.ts";
import type { Session } from "../shared/session/session-store.ts";
import { updateDeadline } from "../shared/session/update-session.ts";
import { useEndedSession, useSession } from "../shared/session/use-session.ts";
import { leaveMailLink, subscribeToMailLink } from "./mail-link.ts";
import type { MailLink } from "./mail-link.ts";
import { createAppRouter } from "./router.tsx";

const AcceptInvitePage = lazy(async () => ({
  default: (await import("../features/session/AcceptInvitePage.tsx")).AcceptInvitePage,
}));
const ResetPasswordPage = lazy(async () => ({
  default: (await import("../features/session/ResetPasswordPage.tsx")).ResetPasswordPage,
}));

/**
 * Decides what the browser tab shows. If the user has opened a mail link (invitation or password
 * reset), the tab shows the page of this link, even while the user is signed in. Otherwise the tab
 * shows the dashboard or the sign-in page.
 */
export function RootPage({ opened }: { opened: MailLink | null }) {
  const [link, setLink] = useState(opened);
  const [notice, setNotice] = useState<Notice>();
  useEffect(() => subscribeToMailLink(setLink), []);

  const leave = (next?: Notice) => {
    leaveMailLink();
    setLink(null);
    setNotice(next);
  };

  if (!link) return <SessionGate notice={notice} />;
  return (
    <Suspense>
      {link.page === "/accept-invite" ? (
        <AcceptInvitePage key={link.token} token={link.token} onDone={() => leave()} />
      ) : (
        <ResetPasswordPage
          key={link.token}
          token={link.token}
          onDone={() => leave("passwordChanged")}
          onLeave={() => leave()}
        />
      )}
    </Suspense>
  );
}

/**
 * Renders the dashboard or the sign-in page. When the server ends the session, the dashboard and
 * its unsaved input stay open behind a dialog. The same user can sign in again in this dialog. When
 * the user signs out or another user signs in, the browser loads `/`, so that no data of the first
 * user stays in memory.
 */
function SessionGate({ notice }: { notice: Notice | undefined }) {
  const session = useSession();
  const ended = useEndedSession();
  const [shownSession, setShownSession] = useState(session);
  if (session && session !== shownSession) setShownSession(session);
  if (!session && !ended && shownSession) setShownSession(null);

  const email = shownSession?.user.email ?? ended?.endedFor;
  const [owner, setOwner] = useState(email);
  if (owner === undefined && email !== undefined) setOwner(email);
  const hasOtherUser = owner !== undefined && email !== owner;
  useEffect(() => {
    if (hasOtherUser) location.replace("/");
  }, [hasOtherUser]);

  if (hasOtherUser) return null;
  if (!shownSession)
    return <SignInPage notice={ended ? "endedNotice" : notice} email={ended?.endedFor} />;
  return (
    <>
      <SignedInApp session={shownSession} />
      {ended && <SignInAgain email={ended.endedFor} />}
    </>
  );
}

/** The dashboard of one signed-in user. Each user gets a separate query cache (React Query). */
function SignedInApp({ session }: { session: Session }) {
  const { i18n } = useTranslation();
  const [queryClient] = useState(createQueryClient);
  const [router] = useState(() => createAppRouter(queryClient));
  const { accessToken, user, mfaEnrollmentDeadline: deadline } = session;
  useEffect(() => {
    void switchLanguage(i18n, languageOf(user.locale));
  }, [i18n, user.locale]);
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
    if (deadline !== undefined && isPast(deadline)) void router.navigate({ to: "/profile" });
  }, [router, deadline]);
  return (
    <CurrentSessionProvider session={session}>
      <QueryClientProvider client={queryClient}>
        <ModalsProvider>
          <RouterProvider router={router} />
        </ModalsProvider>
      </QueryClientProvider>
    </CurrentSessionProvider>
  );
}
