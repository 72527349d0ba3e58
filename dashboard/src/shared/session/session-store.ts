import type { SessionAnswer, User } from "../api/types.ts";

export interface Session {
  accessToken: string;
  refreshToken: string;
  user: User;
  /** By when the user must have a second factor; absent when there is no need. */
  mfaEnrollmentDeadline?: string;
}

/** A session that the server ended: whoever had it may go on where the page stands. */
export interface EndedSession {
  readonly endedFor: string;
}

// localStorage, because the contract hands tokens to scripts and sets no cookie, and a session has
// to outlive a reload and be shared by tabs. Injected scripts, which could read it, are kept out
// by the content security policy: scripts from this origin only, none inline.
const KEY = "feature-flags.session";

const listeners = new Set<() => void>();

interface Stored {
  readonly session: Session | null;
  readonly ended: EndedSession | null;
}

const NOTHING: Stored = { session: null, ended: null };
let parsed: { raw: string | null; stored: Stored } = { raw: null, stored: NOTHING };

function read(): Stored {
  const raw = localStorage.getItem(KEY);
  if (raw !== parsed.raw) parsed = { raw, stored: parse(raw) };
  return parsed.stored;
}

/** The session as it is stored now, whichever tab wrote it; the same object until it changes. */
export const readSession = (): Session | null => read().session;

/** The session that ended in this browser, until somebody signs in, or out. */
export const readEndedSession = (): EndedSession | null => read().ended;

/** Stores the session, or with null forgets it, and tells every tab. */
export const writeSession = (session: Session | null): void => write(session);

/** Stores `next` in the place of `previous`; gives the session that is stored afterwards. */
export const renewSession = (previous: Session, next: Session): Session | null =>
  replace(previous, next);

/** The server does not know `previous` any more; gives the session that is stored afterwards. */
export const endSession = (previous: Session): Session | null =>
  replace(previous, { endedFor: previous.user.email });

/** When another one has taken the place meanwhile (a sign-out, another user), it stays. */
function replace(previous: Session, next: Session | EndedSession): Session | null {
  const stored = readSession();
  if (stored?.refreshToken !== previous.refreshToken) return stored;
  write(next);
  return readSession();
}

function write(value: Session | EndedSession | null): void {
  if (value) localStorage.setItem(KEY, JSON.stringify(value));
  else localStorage.removeItem(KEY);
  for (const listener of listeners) listener();
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
function parse(raw: string | null): Stored {
  if (raw === null) return NOTHING;
  try {
    const value: unknown = JSON.parse(raw);
    if (typeof value !== "object" || value === null) return NOTHING;
    if (isSession(value)) return { session: value, ended: null };
    return isEnded(value) ? { session: null, ended: value } : NOTHING;
  } catch {
    return NOTHING;
  }
}

const isSession = (value: object): value is Session =>
  "accessToken" in value && "refreshToken" in value && "user" in value;

const isEnded = (value: object): value is EndedSession => "endedFor" in value;
