import type { SessionResponse, User } from "../api/types.ts";

export interface Session {
  accessToken: string;
  refreshToken: string;
  user: User;
  /**
   * The time (ISO 8601) until which the user must set up a second factor. Absent if the user does
   * not have to set one up.
   */
  mfaEnrollmentDeadline?: string;
}

/**
 * The stored value after the server has ended the session. `endedFor` is the email of the user, who
 * can sign in again and continue on the same page.
 */
export interface EndedSession {
  readonly endedFor: string;
}

/**
 * The key of the session in localStorage. All tabs share the session, and it survives a reload.
 * Cookies are no alternative, because the API returns tokens to scripts. No injected script can
 * read the tokens, because the content security policy allows only scripts of this origin.
 */
const KEY = "feature-flags.session";

const listeners = new Set<() => void>();

interface Stored {
  readonly session: Session | null;
  readonly ended: EndedSession | null;
}

const NOTHING: Stored = { session: null, ended: null };
/** The session that this tab has shown last. Null after a sign-out, here or in another tab. */
let shown: Session | null = null;

let parsed: { raw: string | null; stored: Stored } = { raw: null, stored: NOTHING };

function read(): Stored {
  const raw = localStorage.getItem(KEY);
  if (raw !== parsed.raw) parsed = { raw, stored: parse(raw) };
  shown = parsed.stored.session ?? shown;
  return parsed.stored;
}

/**
 * Returns the stored session, or null if there is none. Another tab may have stored the session.
 * Returns the same object until the stored text changes.
 */
export const readSession = (): Session | null => read().session;

/**
 * Returns the `EndedSession` after the server has ended the session. Returns null once the user has
 * signed in again or signed out.
 */
export const readEndedSession = (): EndedSession | null => read().ended;

/** Stores the session and notifies every tab. Null deletes the stored session. */
export const writeSession = (session: Session | null): void => write(session);

/**
 * Replaces the stored session by `next` if the stored session is still `previous`. Returns the
 * session that is stored afterwards.
 */
export const renewSession = (previous: Session, next: Session): Session | null =>
  replace(previous, next);

/**
 * Replaces the stored session by an EndedSession if the stored session is still `previous`. Returns
 * the session that is stored afterwards, or null.
 */
export const endSession = (previous: Session): Session | null =>
  replace(previous, { endedFor: previous.user.email });

/**
 * Ends the session if the store is empty although nobody has signed out. Browsers send no event when
 * the user deletes the data of the site, so the page would stay open and could not save.
 */
export function endDeletedSession(): void {
  if (shown && localStorage.getItem(KEY) === null) write({ endedFor: shown.user.email });
}

/**
 * Replaces the stored session by `next` if the stored session still has the refresh token of
 * `previous`. Otherwise changes nothing, because another tab has changed the session meanwhile.
 */
function replace(previous: Session, next: Session | EndedSession): Session | null {
  const stored = readSession();
  if (stored?.refreshToken !== previous.refreshToken) return stored;
  write(next);
  return readSession();
}

function write(value: Session | EndedSession | null): void {
  if (value) localStorage.setItem(KEY, JSON.stringify(value));
  else {
    localStorage.removeItem(KEY);
    shown = null;
  }
  for (const listener of listeners) listener();
}

/**
 * Calls `listener` after every write of the session, in this tab or another one. Returns the
 * unsubscribe function.
 */
export function subscribeToSession(listener: () => void): () => void {
  const onStorage = (event: StorageEvent) => {
    if (event.key === KEY && event.newValue === null) shown = null;
    // `event.key` is null if the whole storage was cleared.
    if (event.key === KEY || event.key === null) listener();
  };
  listeners.add(listener);
  window.addEventListener("storage", onStorage);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("storage", onStorage);
  };
}

export function toSession({ token, refreshToken, user, ...rest }: SessionResponse): Session {
  const { mfaEnrollmentDeadline } = rest;
  return {
    accessToken: token,
    refreshToken,
    user,
    ...(mfaEnrollmentDeadline !== undefined && { mfaEnrollmentDeadline }),
  };
}

/** Parses the stored text. If the text is unreadable, the user counts as signed out. */
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
