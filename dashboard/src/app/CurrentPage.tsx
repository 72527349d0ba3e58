import { useEffect, useState } from "react";
import { AcceptInvitePage } from "../features/session/AcceptInvitePage.tsx";
import { ResetPasswordPage } from "../features/session/ResetPasswordPage.tsx";
import { SignInPage } from "../features/session/SignInPage.tsx";
import { useSession } from "../shared/session/use-session.ts";
import { leaveMailLink, subscribeToMailLink } from "./mail-link.ts";
import type { MailLink } from "./mail-link.ts";
import { Shell } from "./Shell.tsx";

/**
 * The page of the mail link that was opened, whoever is signed in. At any other path the shell for
 * whoever is signed in, and the sign-in page for everyone else.
 */
export function CurrentPage({ opened }: { opened: MailLink | null }) {
  const session = useSession();
  const [link, setLink] = useState(opened);
  const [notice, setNotice] = useState<string>();
  useEffect(() => subscribeToMailLink(setLink), []);
  // It was for one sign-in, not for the next one after signing out.
  if (session && notice !== undefined) setNotice(undefined);

  const leave = (words?: string) => {
    leaveMailLink();
    setLink(null);
    setNotice(words);
  };

  switch (link?.page) {
    case "/accept-invite":
      return <AcceptInvitePage key={link.token} token={link.token} onDone={() => leave()} />;
    case "/reset-password":
      return <ResetPasswordPage key={link.token} token={link.token} onDone={leave} />;
    default:
      return session ? (
        <Shell key={session.user.id} session={session} />
      ) : (
        <SignInPage notice={notice} />
      );
  }
}
