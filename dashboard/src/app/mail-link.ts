const PAGES = ["/accept-invite", "/reset-password"] as const;

/** A page that mails link to. The token is null when the link came without one. */
export interface MailLink {
  page: (typeof PAGES)[number];
  token: string | null;
}

/**
 * Reads the link that was opened, and takes its token out of the address bar and the history: from
 * then on it is in memory only. Null at any other path.
 */
export function takeMailLink(): MailLink | null {
  const page = PAGES.find((path) => path === location.pathname);
  if (!page) return null;
  const token = new URLSearchParams(location.hash.slice(1)).get("token");
  history.replaceState(null, "", page);
  return { page, token: token === "" ? null : token };
}

export function leaveMailLink(): void {
  history.replaceState(null, "", "/");
}

/** Another link pasted over the page of the first changes the fragment and loads nothing. */
export function subscribeToMailLink(listener: (link: MailLink) => void): () => void {
  const onHashChange = () => {
    const link = takeMailLink();
    if (link) listener(link);
  };
  window.addEventListener("hashchange", onHashChange);
  return () => window.removeEventListener("hashchange", onHashChange);
}
