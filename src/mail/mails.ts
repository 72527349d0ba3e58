import type { Mail } from "../access/ports/mailer.ts";
import { ApiError } from "../core/errors/api-error.ts";

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);

/**
 * Returns the base URL for the link of an e-mail. Throws: 503 if it is unknown. The host of the
 * request must not be used instead, because the caller chooses it.
 */
export function assertPublicUrl({ publicUrl }: { readonly publicUrl: string | undefined }): string {
  if (publicUrl !== undefined) return publicUrl;
  throw new ApiError(
    "SERVICE_UNAVAILABLE",
    "The service cannot send links: the variable PUBLIC_URL must be the https URL of the dashboard",
  );
}

/** Returns an e-mail that consists of a paragraph, an optional link, and a second paragraph. */
function compose(
  to: string,
  subject: string,
  { before, link, after }: { before: string; link: URL | undefined; after: string },
): Mail {
  const paragraph = (html: string) => `<p style="margin:0 0 16px">${html}</p>`;
  return {
    to,
    subject,
    text: `${[before, ...(link ? [link.href] : []), after].join("\n\n")}\n`,
    html:
      `<!doctype html><html lang="en"><body style="font:16px/1.5 sans-serif;max-width:560px">` +
      paragraph(escapeHtml(before)) +
      (link ? paragraph(`<a href="${escapeHtml(link.href)}">${escapeHtml(link.href)}</a>`) : "") +
      `${paragraph(escapeHtml(after))}</body></html>`,
  };
}

/**
 * Returns a link to a page of the dashboard. The URL's fragment contains the token. Browsers do not
 * send the fragment, so no server log contains the token.
 */
const linkTo = (publicUrl: string, page: string, token: string): URL =>
  new URL(`/${page}#token=${token}`, publicUrl);

/** @param inviter who sends the invitation, such as `ann@example.com` */
export const invitationMail = (
  to: string,
  inviter: string,
  { publicUrl, token }: { readonly publicUrl: string; readonly token: string },
): Mail =>
  compose(to, "You are invited to Feature Flags", {
    before: `${inviter} invites you to Feature Flags. To join, open this link and choose a password:`,
    link: linkTo(publicUrl, "accept-invite", token),
    after:
      "The link works once and expires after 7 days. If you did not expect this invitation, " +
      "ignore this e-mail.",
  });

export const resetMail = (to: string, publicUrl: string, token: string): Mail =>
  compose(to, "Reset your Feature Flags password", {
    before:
      "Someone asked to reset the password of this e-mail address. To choose a new password, " +
      "open this link:",
    link: linkTo(publicUrl, "reset-password", token),
    after:
      "The link works once and expires after one hour. If you did not request this, ignore this " +
      "e-mail; your password stays the same.",
  });

export const switchedOffMail = (
  to: string,
  publicUrl: string | undefined,
  {
    name,
    host,
    isGone,
  }: {
    readonly name: string;
    readonly host: string;
    /** Whether the receiver has ended the subscription with the status 410. */
    readonly isGone: boolean;
  },
): Mail =>
  compose(to, `The integration ${name} was switched off`, {
    before:
      `The service switched off the integration ${name}, because ` +
      (isGone
        ? `${host} responded with status 410 (Gone), which ends the subscription.`
        : `all its webhook deliveries to ${host} have failed for three days.`),
    link: publicUrl === undefined ? undefined : new URL("/integrations", publicUrl),
    after:
      "When the receiver works again, switch the integration on. You can then send the failed " +
      "deliveries again.",
  });

/** A message to several people about a change that concerns them. */
export interface Notice {
  readonly subject: string;
  readonly what: string;
  /** The path of the page about it, in the dashboard. */
  readonly path: string;
  /** The second paragraph, such as the reason. */
  readonly more: string;
}

export const noticeMail = (
  to: string,
  publicUrl: string | undefined,
  { subject, what, path, more }: Notice,
): Mail =>
  compose(to, subject, {
    before: what,
    link: publicUrl === undefined ? undefined : new URL(path, publicUrl),
    after: more,
  });
