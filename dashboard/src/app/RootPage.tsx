import {
  type ComponentType,
  lazy,
  useCallback,
  useEffect,
  useState,
  useSyncExternalStore,
  Component,
  type ReactNode,
  Suspense,
} from "react";
import type { SignInStart } from "../features/session/sign-in.ts";
import { loadCode } from "../shared/load-code.ts";
import {
  readEndedSession,
  readSession,
  subscribeToSession,
  type EndedSession,
  type Session,
} from "../shared/session/session-store.ts";
import { LoadFailed } from "./LoadFailed.tsx";
import { leaveMailLink, subscribeToMailLink, type MailLink } from "./mail-link.ts";
import type { SignOnReturn } from "./sign-on-return.ts";

interface RootPageProps {
  /** The mail link that the browser has opened, or null. */
  opened: MailLink | null;
  /** How the browser has come back from an identity provider, or null. */
  returned: SignOnReturn | null;
}

/**
 * Decides what the browser tab shows. If the user has opened a mail link (invitation or password
 * reset), the tab shows the page of this link, even while the user is signed in. Otherwise the tab
 * shows the dashboard or the sign-in page. After a sign-in at an identity provider, the tab first
 * completes the sign-in.
 */
export function RootPage({ opened, returned }: RootPageProps) {
  const [link, setLink] = useState(opened);
  const [isCompleting, setCompleting] = useState(returned?.kind === "complete");
  const [start, setStart] = useState<SignInStart>(
    returned?.kind === "problem" ? { notice: `problems.${returned.problem}` } : {},
  );
  useEffect(() => subscribeToMailLink(setLink), []);

  const leave = (next: SignInStart = {}) => {
    leaveMailLink();
    setLink(null);
    setStart(next);
  };
  const leaveProvider = useCallback((next: SignInStart, path: string) => {
    history.replaceState(null, "", path);
    setCompleting(false);
    setStart(next);
  }, []);

  if (isCompleting)
    return (
      <LoadBoundary>
        <SignOnCompletePage onDone={leaveProvider} />
      </LoadBoundary>
    );
  if (!link) return <SessionGate start={start} />;
  return (
    <LoadBoundary>
      {link.page === "/accept-invite" ? (
        <AcceptInvitePage key={link.token} token={link.token} onDone={leave} />
      ) : (
        <ResetPasswordPage
          key={link.token}
          token={link.token}
          onDone={() => leave({ notice: "passwordChanged" })}
          onLeave={() => leave()}
        />
      )}
    </LoadBoundary>
  );
}

/**
 * Renders the dashboard or the sign-in page. When the server ends the session, the dashboard and
 * its unsaved input stay open behind a dialog. The same user can sign in again in this dialog. When
 * the user signs out or another user signs in, the browser loads `/`, so that no data of the first
 * user stays in memory.
 */
function SessionGate({ start }: { start: SignInStart }) {
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

  useEffect(() => {
    // Loads the dialog early, because a new deployment may replace its file before the session ends.
    // If this fails, the dialog loads when the session has ended.
    import("../features/session/SignInAgain.tsx").catch(() => {});
  }, []);

  if (hasOtherUser) return null;
  if (!shownSession)
    return (
      <LoadBoundary>
        <SignInPage
          start={ended ? { notice: "endedNotice", ...start } : start}
          email={ended?.endedFor}
        />
      </LoadBoundary>
    );
  return (
    <>
      <LoadBoundary placeholder={<AppSkeleton />}>
        <SignedInApp session={shownSession} />
      </LoadBoundary>
      {ended && (
        <LoadBoundary>
          <SignInAgain email={ended.endedFor} />
        </LoadBoundary>
      )}
    </>
  );
}

/** The grey bars of the navigation and of the page. */
const BARS = { side: 7, main: 5 };

const bars = (count: number) => Array.from({ length: count }, (_, index) => <i key={index} />);

/** Looks like the placeholder in index.html, which shows before any script has loaded. */
function AppSkeleton() {
  return (
    <div className="app-skeleton" data-signed-in aria-hidden>
      <div className="app-skeleton-side">{bars(BARS.side)}</div>
      <div className="app-skeleton-main">{bars(BARS.main)}</div>
    </div>
  );
}

const view = <Props,>(load: () => Promise<ComponentType<Props>>) =>
  lazy(async () => ({ default: await loadCode(load) }));

/** What a browser tab can show. The code of each loads when it is shown. */
const SignedInApp = view(async () => (await import("./SignedInApp.tsx")).SignedInApp);
const SignInPage = view(
  async () => (await import("../features/session/SignInPage.tsx")).SignInPage,
);
const SignInAgain = view(
  async () => (await import("../features/session/SignInAgain.tsx")).SignInAgain,
);
const SignOnCompletePage = view(
  async () => (await import("../features/session/SignOnCompletePage.tsx")).SignOnCompletePage,
);
const AcceptInvitePage = view(
  async () => (await import("../features/session/AcceptInvitePage.tsx")).AcceptInvitePage,
);
const ResetPasswordPage = view(
  async () => (await import("../features/session/ResetPasswordPage.tsx")).ResetPasswordPage,
);

/** Null if nobody is signed in. Renders again when the session changes, even in another tab. */
function useSession(): Session | null {
  return useSyncExternalStore(subscribeToSession, readSession);
}

/** The session that the server has ended. Renders again when the stored session changes. */
function useEndedSession(): EndedSession | null {
  return useSyncExternalStore(subscribeToSession, readEndedSession);
}

interface LoadBoundaryProps {
  /** Shown while the code of the children loads. By default nothing. */
  placeholder?: ReactNode;
  children: ReactNode;
}

/** Does outside of the dashboard what the router does for each of its pages. */
class LoadBoundary extends Component<LoadBoundaryProps, { error: unknown }> {
  override state = { error: undefined };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    const { placeholder, children } = this.props;
    if (this.state.error !== undefined) return <LoadFailed error={this.state.error} />;
    return <Suspense fallback={placeholder}>{children}</Suspense>;
  }
}
