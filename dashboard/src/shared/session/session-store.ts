import type { SessionAnswer, User } from "../api/types.ts";

export interface Session {
  accessToken: string;
  refreshToken: string;
  user: User;
  /** By when the user must have a second factor; absent when there is no need. */
  mfaEnrollmentDeadline?: string;
}

// localStorage, because the contract hands tokens to scripts and sets no cookie, and a session has
// to outlive a reload and be shared by tabs. Injected scripts, which could read it, are kept out
// by the content security policy: scripts from this origin only, none inline.
const KEY = "feature-flags.session";

const listeners = new Set<() => void>();
let parsed: { raw: string | null; session: Session | null } = { raw: null, session: null };

/** The session as it is stored now, whichever tab wrote it; the same object until it changes. */
export function readSession(): Session | null {
  const raw = localStorage.getItem(KEY);
  if (raw !== parsed.raw) parsed = { raw, session: parse(raw) };
  return parsed.session;
}

/** Stores the session, or with null forgets it, and tells every tab. */
export function writeSession(session: Session | null): void {
  if (session) localStorage.setItem(KEY, JSON.stringify(session));
  else localStorage.removeItem(KEY);
  for (const listener of listeners) listener();
}

/**
 * Stores `next` in the place of `previous`. When another one has taken that place meanwhile (a
 * sign-out, another user), it stays. Gives the session that is stored afterwards.
 */
export function replaceSession(previous: Session, next: Session | null): Session | null {
  const stored = readSession();
  if (stored?.refreshToken !== previous.refreshToken) return stored;
  writeSession(next);
  return next;
}

/** Calls `listener` after every change, in this tab or another; gives the way to stop that. */
export function subscribeToSession(listener: () => void): () => void {
  const onStorage = (event: StorageEvent) => {
    // The key is null when the whole storage was cleared.
    if (event.key === KEY || event.key === null) listener();
  };
  listeners.add(listener);
  window.addEventListener("storage", onStorage);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("storage", onStorage);
  };
}

export function toSession({ token, refreshToken, user, ...answer }: SessionAnswer): Session {
  const { mfaEnrollmentDeadline } = answer;
  return {
    accessToken: token,
    refreshToken,
    user,
    ...(mfaEnrollmentDeadline !== undefined && { mfaEnrollmentDeadline }),
  };
}

/** An entry that cannot be read counts as signed out. */
function parse(raw: string | null): Session | null {
  if (raw === null) return null;
  try {
    const value: unknown = JSON.parse(raw);
    return isSession(value) ? value : null;
  } catch {
    return null;
  }
}

function isSession(value: unknown): value is Session {
  if (typeof value !== "object" || value === null) return false;
  return "accessToken" in value && "refreshToken" in value && "user" in value;
}
