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
 * The root component. Renders the mail link page (invitation or password reset) if the user opened
 * such a link, signed in or not. Without a mail link it renders the sign-in page or the dashboard.
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
 * Renders the dashboard for a signed-in user and the sign-in page for everyone else. When the
 * server ends a session, the page and its unsaved input stay behind a dialog that asks the same
 * user to sign in again. When another user signs in, the document reloads, so that nothing of the
 * first user's data stays in memory.
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

/** The dashboard of one signed-in user. Each user has a separate query cache. */
function SignedInApp({ session }: { session: Session }) {
  const { i18n } = useTranslation();
  const [queryClient] = useState(createQueryClient);
  const [router] = useState(() => createAppRouter(queryClient));
  const { accessToken, user, mfaEnrollmentDeadline: deadline } = session;
  useEffect(() => {
    void switchLanguage(i18n, languageOf(user.locale));
  }, [i18n, user.locale]);
  useEffect(() => {
    // Refetch the queries that failed because the session had ended. They succeed now.
    void queryClient.invalidateQueries({ predicate: ({ state }) => state.status === "error" });
    // Ignore the error, because the next token renewal updates the deadline again.
    updateDeadline(user.id).catch(() => {});
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- `accessToken` is a dependency so that this runs after every sign-in and every token renewal
  }, [queryClient, accessToken, user.id]);
  useEffect(() => {
    // After the deadline for setting up a second factor, the service allows the user nothing but
    // their own account.
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
