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

/** The page of the mail link that was opened, whoever is signed in; anything else at any other path. */
export function RootPage({ opened }: { opened: MailLink | null }) {
  const [link, setLink] = useState(opened);
  const [notice, setNotice] = useState<Notice>();
  useEffect(() => subscribeToMailLink(setLink), []);

  const leave = (words?: Notice) => {
    leaveMailLink();
    setLink(null);
    setNotice(words);
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
 * The workplace of whoever is signed in, and the sign-in page for everyone else. A session that the
 * server has ended leaves the page as it is, with what was typed, behind the request to sign in
 * again. To anybody else the page is not shown, nor its address, nor anything it holds in memory:
 * it is loaded anew.
 */
function SessionGate({ notice }: { notice: Notice | undefined }) {
  const session = useSession();
  const ended = useEndedSession();
  const [shown, setShown] = useState(session);
  if (session && session !== shown) setShown(session);
  if (!session && !ended && shown) setShown(null);

  const person = shown?.user.email ?? ended?.endedFor;
  const [owner, setOwner] = useState(person);
  if (owner === undefined && person !== undefined) setOwner(person);
  const isOver = owner !== undefined && person !== owner;
  useEffect(() => {
    if (isOver) location.replace("/");
  }, [isOver]);

  if (isOver) return null;
  if (!shown) return <SignInPage notice={ended ? "endedNotice" : notice} email={ended?.endedFor} />;
  return (
    <>
      <SignedInApp session={shown} />
      {ended && <SignInAgain email={ended.endedFor} />}
    </>
  );
}

/** All pages of one person, with what was loaded for them. */
function SignedInApp({ session }: { session: Session }) {
  const { i18n } = useTranslation();
  const [queryClient] = useState(createQueryClient);
  const [router] = useState(() => createAppRouter(queryClient));
  const { accessToken, user, mfaEnrollmentDeadline: deadline } = session;
  useEffect(() => {
    void switchLanguage(i18n, languageOf(user.locale));
  }, [i18n, user.locale]);
  useEffect(() => {
    // What failed while nobody was signed in succeeds now.
    void queryClient.invalidateQueries({ predicate: ({ state }) => state.status === "error" });
    // Without an answer the next renewal asks again.
    updateDeadline(user.id).catch(() => {});
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- after every sign-in and renewal
  }, [queryClient, accessToken, user.id]);
  useEffect(() => {
    // The service opens nothing but the own account then.
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
