/** A message with both parts; addresses are plain `name@domain`. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Sends mail. Errors: whatever the provider says; the caller decides what that means. */
export interface Mailer {
  /** `traceId`: of the request, or the event, that causes the mail. */
  send(mail: Mail, traceId: string): Promise<void>;
}

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);

/** A letter of a few paragraphs with one link, if there is one, in its middle. */
function letter(
  to: string,
  subject: string,
  before: string,
  link: URL | undefined,
  after: string,
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

/** The token stands behind `#`, so that it reaches no server log. */
const linkTo = (publicUrl: string, page: string, token: string): URL =>
  new URL(`/${page}#token=${token}`, publicUrl);

export const invitationMail = (to: string, publicUrl: string, token: string): Mail =>
  letter(
    to,
    "You are invited to Feature Flags",
    "You are invited to Feature Flags. Choose a password to join:",
    linkTo(publicUrl, "accept-invite", token),
    "The link works once, for 7 days. If you did not expect it, do nothing.",
  );

export const resetMail = (to: string, publicUrl: string, token: string): Mail =>
  letter(
    to,
    "Reset your Feature Flags password",
    "Somebody, hopefully you, asked to reset the password of this address. Choose a new one:",
    linkTo(publicUrl, "reset-password", token),
    "The link works once, for an hour. If it was not you, do nothing: your password stays.",
  );

export const switchedOffMail = (
  to: string,
  publicUrl: string | undefined,
  integration: string,
  host: string,
): Mail =>
  letter(
    to,
    `The integration ${integration} was switched off`,
    `The webhooks of the integration ${integration}, to ${host}, have failed for three days without ` +
      `a success. It was switched off.`,
    publicUrl === undefined ? undefined : new URL("/integrations", publicUrl),
    "Once the receiver works again, switch the integration on; deliveries that failed can be sent again.",
  );
