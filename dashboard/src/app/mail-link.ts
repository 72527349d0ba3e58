const PAGES = ["/accept-invite", "/reset-password"] as const;

/**
 * A link from a mail that the service sent: to accept an invitation or to reset a password. `token`
 * is null when the URL has no token or an empty one.
 */
export interface MailLink {
  page: (typeof PAGES)[number];
  token: string | null;
}

/**
 * Reads the mail link from the URL of the browser tab. Removes the link's token from the address
 * bar and the history, so that the token is in memory only. Returns null if the URL is no mail
 * link.
 */
export function consumeMailLink(): MailLink | null {
  const page = PAGES.find((path) => path === location.pathname);
  if (!page) return null;
  const token = new URLSearchParams(location.hash.slice(1)).get("token");
  history.replaceState(null, "", page);
  return { page, token: token === "" ? null : token };
}

export function leaveMailLink(): void {
  history.replaceState(null, "", "/");
}

/**
 * Calls `listener` when the user pastes another mail link into the address bar while the page of a
 * mail link is open. Only the URL fragment changes then, so the browser does not reload. Returns
 * the unsubscribe function.
 */
export function subscribeToMailLink(listener: (link: MailLink) => void): () => void {
  const onHashChange = () => {
    const link = consumeMailLink();
    if (link) listener(link);
  };
  window.addEventListener("hashchange", onHashChange);
  return () => window.removeEventListener("hashchange", onHashChange);
}
