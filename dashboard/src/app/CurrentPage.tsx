import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { ModalsProvider } from "@mantine/modals";
import { lazy, Suspense, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { SignInAgain } from "../features/session/SignInAgain.tsx";
import { SignInPage } from "../features/session/SignInPage.tsx";
import { createQueryClient } from "../shared/api/query-client.ts";
import { switchLanguage } from "../shared/i18n/i18n.ts";
import { languageOf } from "../shared/i18n/language.ts";
import { CurrentSession } from "../shared/session/current-session.tsx";
import type { Session } from "../shared/session/session-store.ts";
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
 * The page of the mail link that was opened, whoever is signed in. At any other path the workplace of
 * whoever is signed in, and the sign-in page for everyone else. A session that the server has ended
 * leaves the page as it is, with what was typed, behind the request to sign in again.
 */
export function CurrentPage({ opened }: { opened: MailLink | null }) {
  const session = useSession();
  const ended = useEndedSession();
  const [shown, setShown] = useState(session);
  const [link, setLink] = useState(opened);
  const [notice, setNotice] = useState<string>();
  useEffect(() => subscribeToMailLink(setLink), []);
  if (session && session !== shown) setShown(session);
  if (!session && !ended && shown) setShown(null);
  // It was for one sign-in, not for the next one after signing out.
  if (session && notice !== undefined) setNotice(undefined);

  const leave = (words?: string) => {
    leaveMailLink();
    setLink(null);
    setNotice(words);
  };

  if (link)
    return (
      <Suspense>
        {link.page === "/accept-invite" ? (
          <AcceptInvitePage key={link.token} token={link.token} onDone={() => leave()} />
        ) : (
          <ResetPasswordPage key={link.token} token={link.token} onDone={leave} />
        )}
      </Suspense>
    );
  if (!shown) return <SignInPage notice={notice} email={ended?.endedFor} />;
  return (
    <>
      <Workplace key={shown.user.id} session={shown} />
      {ended && <SignInAgain email={ended.endedFor} />}
    </>
  );
}

/** All pages of one person, with what was loaded for them. */
function Workplace({ session }: { session: Session }) {
  const { i18n } = useTranslation();
  const [queryClient] = useState(createQueryClient);
  const [router] = useState(() => createAppRouter(queryClient));
  const { accessToken, user } = session;
  useEffect(() => {
    void switchLanguage(i18n, languageOf(user.locale));
  }, [i18n, user.locale]);
  // What failed while nobody was signed in succeeds now.
  useEffect(() => {
    void queryClient.invalidateQueries({ predicate: ({ state }) => state.status === "error" });
  }, [queryClient, accessToken]);
  return (
    <CurrentSession session={session}>
      <QueryClientProvider client={queryClient}>
        <ModalsProvider>
          <RouterProvider router={router} />
        </ModalsProvider>
      </QueryClientProvider>
    </CurrentSession>
  );
}
